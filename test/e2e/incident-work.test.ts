/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RemovalService } from '../../src/pipeline/removal.service.js';
import { ForgettingRepository } from '../../src/store/forgetting.repository.js';
import { busyOnceChanged } from '../support/busy-reads.js';
import { e4011 } from '../support/core-event.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import type { GraphqlAnswer, TestCasebook } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN, CASEBOOK_AUTH: 'required' });
  await casebook.register('prod');
});
afterAll(() => casebook?.stop());

const FIELDS =
  'id status version acknowledgedBy acknowledgedAt assignee resolvedBy resolvedAt occurrences episodes { startedAt endedAt resolution }';
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString().replace(/\.\d+Z$/, 'Z');

/** Opens an incident on an Ingress and returns its id. */
async function open(name: string, at = minutesAgo(30)): Promise<string> {
  await casebook.post('prod', e4011({ name, at }));
  return (await incidentOf(name)).id;
}
async function incidentOf(name: string): Promise<any> {
  const query = `query ($subject: ObjectRefInput!) { incidents(filter: { subject: $subject }) { nodes { ${FIELDS} } } }`;
  const { data } = await casebook.graphql(query, { subject: { kind: 'Ingress', namespace: 'shop', name } });
  return data['incidents'].nodes[0];
}
/** Calls a mutation of one incident; tells the incident after it, or the refusal. */
async function change(call: string, variables: object = {}): Promise<any> {
  const declared = Object.keys(variables).length > 0 ? '($text: String!)' : '';
  const { data, errors } = await casebook.graphql(`mutation ${declared} { done: ${call} { ${FIELDS} } }`, variables);
  return errors ? { code: errors[0]!.extensions.code, message: errors[0]!.message } : data['done'];
}
async function history(id: string, args = ''): Promise<any> {
  const { data, errors } = await casebook.graphql(
    `query ($id: ID!) { incident(id: $id) { history${args} {
       totalCount pageInfo { hasNextPage endCursor }
       nodes { key at kind by text resolution before { status acknowledgedBy assignee } after { status acknowledgedBy assignee } } } } }`,
    { id },
  );
  if (errors) throw new Error(errors[0]!.message);
  return data['incident'].history;
}
const told = ({ nodes }: any): string[] =>
  nodes.map(({ kind, by, text, resolution }: any) => [kind, by, text, resolution].filter(Boolean).join(' '));

describe('work on an incident', () => {
  it('is acknowledged, assigned, commented on, resolved and reopened, and tells all of it with who did it', async () => {
    const id = await open('story');
    expect(await change(`acknowledgeIncident(id: "${id}")`)).toMatchObject({ status: 'ACKNOWLEDGED', acknowledgedBy: expect.any(String) });
    expect(await change(`assignIncident(id: "${id}", assignee: "ana")`)).toMatchObject({ status: 'ACKNOWLEDGED', assignee: 'ana' });
    expect(await change(`commentOnIncident(id: "${id}", text: $text)`, { text: `'; DROP TABLE incident; -- {"x"} \\ %` })).toMatchObject({
      assignee: 'ana',
    });
    const resolved = await change(`resolveIncident(id: "${id}", reason: "certificate replaced")`);
    expect(resolved).toMatchObject({ status: 'RESOLVED', resolvedBy: 'MANUAL', acknowledgedBy: null, assignee: 'ana' });
    const reopened = await change(`reopenIncident(id: "${id}")`);
    // The end was taken back: it is one episode, and its acknowledgement lies in it.
    expect(reopened).toMatchObject({ status: 'ACKNOWLEDGED', resolvedAt: null, episodes: [{ endedAt: null }] });
    expect(await change(`unacknowledgeIncident(id: "${id}")`)).toMatchObject({
      status: 'OPEN',
      acknowledgedBy: null,
      acknowledgedAt: null,
    });
    const all = await history(id);
    const who = all.nodes[0].by as string;
    expect(told(all)).toEqual([
      `UNACKNOWLEDGED ${who}`,
      `REOPENED ${who}`,
      `RESOLVED ${who} certificate replaced`,
      `COMMENTED ${who} '; DROP TABLE incident; -- {"x"} \\ %`,
      `ASSIGNED ${who}`,
      `ACKNOWLEDGED ${who}`,
      'OPENED',
    ]);
    expect(all.totalCount).toBe(7);
    expect(all.nodes[4]).toMatchObject({
      before: { status: 'ACKNOWLEDGED', acknowledgedBy: who, assignee: null },
      after: { status: 'ACKNOWLEDGED', acknowledgedBy: who, assignee: 'ana' },
    });
    const first = await history(id, '(first: 3)');
    const second = await history(id, `(first: 4, after: "${first.pageInfo.endCursor}")`);
    expect([...told(first), ...told(second)]).toEqual(told(all));
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
  });

  it('is not reopened by what happened before its end and came late, but by what happens after it', async () => {
    const id = await open('late', minutesAgo(20));
    await change(`resolveIncident(id: "${id}")`);
    await casebook.post('prod', e4011({ name: 'late', at: minutesAgo(10) }));
    expect(await incidentOf('late')).toMatchObject({
      status: 'RESOLVED',
      resolvedBy: 'MANUAL',
      occurrences: 2,
      episodes: [{ resolution: 'MANUAL' }],
    });
    const soon = new Date(Date.now() + 2000).toISOString();
    await casebook.post('prod', e4011({ name: 'late', at: soon }));
    expect(await incidentOf('late')).toMatchObject({
      status: 'OPEN',
      occurrences: 3,
      episodes: [{ endedAt: null }, { resolution: 'MANUAL' }],
    });
  });

  it('is open again, not acknowledged, when its problem comes back', async () => {
    const id = await open('again', minutesAgo(20));
    await change(`acknowledgeIncident(id: "${id}")`);
    await change(`resolveIncident(id: "${id}")`);
    await casebook.post('prod', e4011({ name: 'again', at: new Date(Date.now() + 2000).toISOString() }));
    expect(await incidentOf('again')).toMatchObject({ status: 'OPEN', acknowledgedBy: null });
    expect(told(await history(id)).filter((entry) => entry.startsWith('REOPENED'))).toEqual(['REOPENED']);
  });

  it('begins a new episode when a person reopens what an event ended', async () => {
    const id = await open('success', minutesAgo(20));
    const ended = {
      name: 'success',
      reason: 'EnsureServiceSuccess',
      message: 'Ingress Sync Success. RetrunCode: S2000',
      at: minutesAgo(5),
    };
    await casebook.post('prod', e4011({ ...ended, type: 'Normal' }));
    expect(await incidentOf('success')).toMatchObject({ status: 'RESOLVED', resolvedBy: 'SUCCESS_EVENT' });
    expect(await change(`reopenIncident(id: "${id}")`)).toMatchObject({
      status: 'OPEN',
      occurrences: 1,
      episodes: [{ endedAt: null }, { resolution: 'SUCCESS_EVENT' }],
    });
    expect(told(await history(id)).slice(1)).toEqual(['RESOLVED SUCCESS_EVENT', 'OPENED']);
    // A success that follows ends it as it ends any failure.
    await casebook.post('prod', e4011({ ...ended, type: 'Normal', at: new Date(Date.now() + 2000).toISOString() }));
    expect(await incidentOf('success')).toMatchObject({ status: 'RESOLVED', resolvedBy: 'SUCCESS_EVENT', occurrences: 1 });
  });
});

describe('a change that is made while all connections for reading are taken', () => {
  it('is answered as done, so that nobody does it twice', async () => {
    const id = await open('busy');
    const { version } = await incidentOf('busy');
    const free = await busyOnceChanged(casebook);
    try {
      const { data, errors } = await casebook.graphql(`mutation { commentOnIncident(id: "${id}", text: "once") { id version } }`);
      expect(errors).toBeUndefined();
      expect(data['commentOnIncident']).toEqual({ id, version: version + 1 });
    } finally {
      free();
    }
  });

  it('leaves the others of several for later, and tells which are done', async () => {
    const ids = [await open('busy-1'), await open('busy-2'), await open('busy-3')];
    const resolve = (some: string[]): Promise<GraphqlAnswer<any>> =>
      casebook.graphql('mutation ($ids: [ID!]!) { resolveIncidents(ids: $ids) { id code message incident { status } } }', { ids: some });
    const free = await busyOnceChanged(casebook);
    try {
      const { data } = await resolve(ids);
      const later = { code: 'BUSY', message: 'Come back later: other questions are being answered.', incident: null };
      expect(data['resolveIncidents']).toEqual([
        { id: ids[0], code: null, message: null, incident: { status: 'RESOLVED' } },
        { id: ids[1], ...later },
        { id: ids[2], ...later },
      ]);
      // Where nothing was done the whole call can be made again.
      expect((await resolve(ids.slice(1))).errors![0]).toMatchObject({ extensions: { code: 'BUSY' } });
    } finally {
      free();
    }
    const { data } = await resolve(ids.slice(1));
    expect(data['resolveIncidents'].map(({ incident }: any) => incident?.status)).toEqual(['RESOLVED', 'RESOLVED']);
  });
});

describe('a change that is stale', () => {
  it('is refused with who changed what meanwhile; of two at once one is done', async () => {
    const id = await open('stale');
    const { version } = await incidentOf('stale');
    const [a, b] = await Promise.all([
      change(`resolveIncident(id: "${id}", expectedVersion: ${version})`),
      change(`acknowledgeIncident(id: "${id}", expectedVersion: ${version})`),
    ]);
    const [done, refused] = a.code ? [b, a] : [a, b];
    expect(done.status).toMatch(/RESOLVED|ACKNOWLEDGED/);
    expect(done.version).toBeGreaterThan(version);
    expect(refused).toMatchObject({ code: 'CONFLICT' });
    expect(refused.message).toContain(`The incident is at version ${done.version}, not ${version}: `);
    expect(refused.message).toMatch(/(resolved|acknowledged) it at 20\d\d-/);
  });

  it('is refused when only its events changed the status, and not when they only added occurrences', async () => {
    const id = await open('counted', minutesAgo(20));
    const { version } = await incidentOf('counted');
    await casebook.post('prod', e4011({ name: 'counted', at: minutesAgo(15) }));
    expect(await change(`commentOnIncident(id: "${id}", text: "seen", expectedVersion: ${version})`)).toMatchObject({
      version: version + 1,
    });
    await casebook.post(
      'prod',
      e4011({
        name: 'counted',
        reason: 'EnsureServiceSuccess',
        message: 'Ingress Sync Success. RetrunCode: S2000',
        type: 'Normal',
        at: minutesAgo(2),
      }),
    );
    const refused = await change(`resolveIncident(id: "${id}", expectedVersion: ${version + 1})`);
    expect(refused.code).toBe('CONFLICT');
    expect(refused.message).toContain('its status changed by what was heard of its objects. Now it is resolved by SUCCESS_EVENT');
  });
});

describe('a change that cannot be made', () => {
  it('is refused with what is wrong', async () => {
    const id = await open('wrong');
    const nobody = '11111111-2222-3333-4444-555555555555';
    expect(await change(`acknowledgeIncident(id: "${nobody}")`)).toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(nobody),
    });
    expect(await change(`acknowledgeIncident(id: "1 OR 1=1")`)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await change(`unacknowledgeIncident(id: "${id}")`)).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('open'),
    });
    expect(await change(`reopenIncident(id: "${id}")`)).toMatchObject({ code: 'CONFLICT' });
    expect(await change(`commentOnIncident(id: "${id}", text: "${'x'.repeat(4001)}")`)).toMatchObject({
      code: 'BAD_INPUT',
      message: 'text: expected 1 to 4000 characters of text without NUL, got 4001 characters.',
    });
    expect(await change(`commentOnIncident(id: "${id}", text: "  ")`)).toMatchObject({ code: 'BAD_INPUT' });
    expect(await change(`assignIncident(id: "${id}", assignee: "${'x'.repeat(201)}")`)).toMatchObject({ code: 'BAD_INPUT' });
    expect(await change(`acknowledgeIncident(id: "${id}", expectedVersion: -1)`)).toMatchObject({ code: 'BAD_INPUT' });
    expect(await change(`acknowledgeIncident(id: "${id}", expectedVersion: 99)`)).toMatchObject({ code: 'CONFLICT' });
    await change(`resolveIncident(id: "${id}")`);
    expect(await change(`resolveIncident(id: "${id}")`)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('MANUAL') });
    expect(await change(`acknowledgeIncident(id: "${id}")`)).toMatchObject({ code: 'CONFLICT' });
    // Refused changes leave no trace.
    expect(told(await history(id)).map((entry) => entry.split(' ')[0])).toEqual(['RESOLVED', 'OPENED']);
  });

  it('is refused where an incident would be reopened whose objects are forgotten', async () => {
    await casebook.register('forgetful');
    for (const [name, ending] of [
      [
        'ended',
        e4011({ name: 'ended', reason: 'EnsureServiceSuccess', message: 'Ingress Sync Success. RetrunCode: S2000', type: 'Normal' }),
      ],
      ['resolved', undefined],
    ] as const) {
      await casebook.post('forgetful', e4011({ name, at: minutesAgo(30) }));
      const { id } = await incidentOf(name);
      if (ending) await casebook.post('forgetful', ending);
      else await change(`resolveIncident(id: "${id}")`);
      const forgetting = casebook.app.get(ForgettingRepository);
      const cluster = (await casebook.database.pool.query<{ id: number }>(`SELECT id FROM cluster WHERE name = 'forgetful'`)).rows[0]!.id;
      const never = { quarters: undefined, hours: undefined, incidents: undefined };
      expect(await forgetting.step(cluster, { ...never, affected: new Date(Date.now() + 2 * 86_400_000).toISOString() })).toBe(1);
      const told = await history(id);
      expect(await change(`reopenIncident(id: "${id}")`)).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('objects of the incident are forgotten'),
      });
      expect(await history(id)).toEqual(told);
    }
  });

  it('is told for each of several incidents, and does not spoil the others', async () => {
    const ids = [await open('bulk-1'), '11111111-2222-3333-4444-555555555555', await open('bulk-2')];
    const { data } = await casebook.graphql(
      'mutation ($ids: [ID!]!) { resolveIncidents(ids: $ids, reason: "all at once") { id code incident { status } } }',
      { ids },
    );
    expect(data['resolveIncidents']).toEqual([
      { id: ids[0], code: null, incident: { status: 'RESOLVED' } },
      { id: ids[1], code: 'NOT_FOUND', incident: null },
      { id: ids[2], code: null, incident: { status: 'RESOLVED' } },
    ]);
    const many = await casebook.graphql('mutation ($ids: [ID!]!) { acknowledgeIncidents(ids: $ids) { id } }', {
      ids: Array.from({ length: 101 }, () => ids[0]),
    });
    expect(many.errors![0]).toMatchObject({ extensions: { code: 'BAD_INPUT' } });
  });

  it('goes with its whole cluster, and only so', async () => {
    await casebook.register('leaving');
    await casebook.post('leaving', e4011({ name: 'leaving' }));
    const { id } = await incidentOf('leaving');
    await change(`commentOnIncident(id: "${id}", text: "bye")`);
    const count = async (): Promise<unknown> =>
      (await casebook.database.pool.query('SELECT count(*)::integer AS count FROM incident_audit WHERE incident_id = $1', [id])).rows[0];
    expect(await count()).toEqual({ count: 1 });
    await casebook.graphql('mutation { removeCluster(name: "leaving", confirm: "leaving") { name } }');
    expect(await change(`commentOnIncident(id: "${id}", text: "late")`)).toMatchObject({ code: 'NOT_FOUND' });
    // The service may be at it by itself.
    await waitUntil(
      async () => {
        await casebook.app.get(RemovalService).run();
        return (await casebook.database.pool.query(`SELECT FROM cluster WHERE name = 'leaving'`)).rows.length;
      },
      (left) => left === 0,
    );
    expect(await count()).toEqual({ count: 0 });
  });

  it('cannot be wiped out of the history', async () => {
    await expect(casebook.database.pool.query('DELETE FROM incident_audit')).rejects.toThrow('never changed or deleted');
    await expect(casebook.database.pool.query(`UPDATE incident_audit SET by = 'somebody else'`)).rejects.toThrow(
      'never changed or deleted',
    );
  });
});
