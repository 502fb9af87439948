/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Silencings } from '../../src/pipeline/silencings.service.js';
import { crash, e4011 } from '../support/core-event.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook();
  for (const name of ['prod', 'test']) {
    await casebook.register(name);
    await casebook.post(name, [e4011({ name: 'shop' }), e4011({ name: 'pay', namespace: 'pay' }), crash()]);
  }
});
afterAll(() => casebook?.stop());

const HOUR = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();

async function ask(query: string, variables: object = {}): Promise<any> {
  const { data, errors } = await casebook.graphql<any>(query, variables);
  return errors ? { code: errors[0]!.extensions.code, message: errors[0]!.message } : Object.values(data)[0];
}
const SILENCE = 'id active clusters problems severities reason createdBy startsAt endsAt version';
const createSilence = (input: object): Promise<any> =>
  ask(`mutation ($input: SilenceInput!) { createSilence(input: $input) { ${SILENCE} } }`, { input });
const WINDOW =
  'id reason version startsAt endsAt recurring { cron durationMinutes timeZone } running { startsAt } upcoming(first: 3) { startsAt endsAt }';
const createWindow = (input: object): Promise<any> =>
  ask(`mutation ($input: MaintenanceWindowInput!) { createMaintenanceWindow(input: $input) { ${WINDOW} } }`, { input });
/** Subjects of incidents that are silenced or not, each as cluster/name. */
async function named(silenced: boolean): Promise<string[]> {
  const { nodes, totalCount } = await ask(
    `query ($silenced: Boolean) { incidents(filter: { silenced: $silenced }) { totalCount nodes { silenced cluster { name } subject { name } } } }`,
    { silenced },
  );
  expect(totalCount).toBe(nodes.length);
  expect(nodes.every((node: any) => node.silenced === silenced)).toBe(true);
  return nodes.map(({ cluster, subject }: any) => `${cluster.name}/${subject.name}`).sort();
}

describe('a silence', () => {
  it('marks what it covers, which is still listed and counted, until it is ended', async () => {
    const all = await named(false);
    expect(all).toEqual(['prod/pay', 'prod/shop', 'prod/web', 'test/pay', 'test/shop', 'test/web']);
    const { id, version } = await createSilence({
      clusters: ['prod'],
      problems: ['tke/ingress/E4011'],
      namespaces: ['shop'],
      endsAt: inHours(2),
      reason: `waiting'; DROP TABLE silencing; --`,
    });
    expect(await named(true)).toEqual(['prod/shop']);
    expect(await named(false)).toEqual(all.filter((name) => name !== 'prod/shop'));
    // What comes later is silenced too, and found for those who tell of incidents.
    await casebook.post('prod', e4011({ name: 'new' }));
    const { nodes } = await ask(
      `{ incidents(filter: { silenced: true }) { nodes { id occurrences subject { name } silencedBy { id reason } maintenance { id } } } }`,
    );
    expect(nodes.map(({ subject }: any) => subject.name).sort()).toEqual(['new', 'shop']);
    expect(nodes[0]).toMatchObject({ occurrences: 1, silencedBy: [{ id, reason: `waiting'; DROP TABLE silencing; --` }], maintenance: [] });
    const found = await casebook.app.get(Silencings).matching([nodes[0].id, '11111111-2222-3333-4444-555555555555'], Date.now());
    expect([...found.values()].map((list) => list.length)).toEqual([1, 0]);
    expect([...(await casebook.app.get(Silencings).matching([nodes[0].id], Date.now() + 3 * HOUR)).values()]).toEqual([[]]);

    expect(
      await ask(
        `mutation { updateSilence(id: "${id}", input: { severities: [CRITICAL] }, expectedVersion: ${version}) { version severities problems } }`,
      ),
    ).toEqual({
      version: version + 1,
      severities: ['CRITICAL'],
      problems: ['tke/ingress/E4011'],
    });
    expect(await named(true)).toEqual([]);
    const stale = await ask(`mutation { endSilence(id: "${id}", expectedVersion: ${version}) { id } }`);
    expect(stale).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/at version 2, not 1: updated by anonymous at 20/) });
    expect(await ask(`mutation { endSilence(id: "${id}") { active changes { kind by before after } } }`)).toMatchObject({
      active: false,
      changes: [
        { kind: 'ENDED', by: 'anonymous' },
        { kind: 'UPDATED', after: { severities: ['critical'] } },
        { kind: 'CREATED', before: null, after: { clusters: ['prod'], namespaces: ['shop'] } },
      ],
    });
    expect(await ask(`mutation { endSilence(id: "${id}") { id } }`)).toMatchObject({ code: 'CONFLICT' });
    await casebook.post(
      'prod',
      e4011({ name: 'new', reason: 'EnsureServiceSuccess', message: 'Ingress Sync Success. RetrunCode: S2000', type: 'Normal' }),
    );
  });

  it('is listed by whether it is active, by the page', async () => {
    for (const reason of ['a', 'b', 'c']) await createSilence({ kinds: ['Service'], endsAt: inHours(1), reason });
    await createSilence({ kinds: ['Service'], startsAt: inHours(1), endsAt: inHours(2), reason: 'later' });
    const list = (args: string): Promise<any> =>
      ask(`{ silences${args} { totalCount pageInfo { endCursor hasNextPage } nodes { reason active } } }`);
    const first = await list('(active: true, first: 2)');
    expect(first).toMatchObject({
      totalCount: 3,
      nodes: [{ reason: 'c', active: true }, { reason: 'b' }],
      pageInfo: { hasNextPage: true },
    });
    expect((await list(`(active: true, first: 2, after: "${first.pageInfo.endCursor}")`)).nodes).toEqual([{ reason: 'a', active: true }]);
    expect((await list(`(active: false)`)).nodes[0]).toEqual({ reason: 'later', active: false });
    expect(await list(`(active: false, after: "${first.pageInfo.endCursor}")`)).toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('is refused with what is wrong', async () => {
    const good = { kinds: ['Pod'], endsAt: inHours(1), reason: 'r' };
    const wrong: [object, string][] = [
      [{ ...good, endsAt: inHours(-1) }, 'endsAt: expected a time to come'],
      [{ ...good, startsAt: inHours(3) }, 'endsAt: expected a time after startsAt'],
      [{ ...good, startsAt: inHours(-3) }, 'startsAt: expected now or later'],
      [{ ...good, endsAt: inHours(24 * 91) }, 'endsAt: expected at most 90 days'],
      [{ kinds: ['Pod'], reason: 'r' }, 'endsAt: expected a time'],
      [{ ...good, reason: ' ' }, 'reason: expected 1 to 1000 characters'],
      [{ ...good, reason: 'x'.repeat(1001) }, 'reason: expected 1 to 1000 characters'],
      [{ endsAt: inHours(1), reason: 'r' }, 'input: expected at least one of clusters'],
      [{ ...good, clusters: ['nowhere'] }, 'clusters: "nowhere" is not known'],
      [{ ...good, problems: ['a/b/c'] }, 'problems: "a/b/c" is not known'],
      [{ ...good, names: Array.from({ length: 101 }, String) }, 'names holds more than 100 values'],
    ];
    for (const [input, message] of wrong)
      expect(await createSilence(input)).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(message) });
    expect(await ask(`mutation { endSilence(id: "x") { id } }`)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await ask(`mutation { endSilence(id: "11111111-2222-3333-4444-555555555555") { id } }`)).toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a maintenance window', () => {
  it('marks incidents while it runs, once or recurring, and lists the next ones', async () => {
    const once = await createWindow({ clusters: ['test'], namespaces: ['pay'], endsAt: inHours(1), reason: 'moving house' });
    expect(once).toMatchObject({ recurring: null, running: { startsAt: expect.any(String) }, upcoming: [] });
    expect(await named(true)).toEqual(['test/pay']);
    expect(await ask(`{ incidents(filter: { silenced: true }) { nodes { silencedBy { id } maintenance { id reason } } } }`)).toEqual({
      nodes: [{ silencedBy: [], maintenance: [{ id: once.id, reason: 'moving house' }] }],
    });
    await ask(`mutation { endMaintenanceWindow(id: "${once.id}") { id } }`);
    expect(await named(true)).toEqual([]);

    const always = await createWindow({ clusters: ['prod'], reason: 'every minute', recurring: { cron: '* * * * *', durationMinutes: 2 } });
    // Its first window begins with the next minute; by now the last one that ran began before the schedule did.
    expect(always.upcoming).toHaveLength(3);
    const soon = Date.parse(always.upcoming[0].startsAt);
    const { nodes } = await ask(`{ incidents(filter: { clusters: ["prod"] }) { nodes { id } } }`);
    const during = await casebook.app.get(Silencings).matching(
      nodes.map(({ id }: any) => id),
      soon + 1000,
    );
    expect([...during.values()].map((list) => list.map(({ id }) => id))).toEqual(nodes.map(() => [always.id]));
    await ask(`mutation { endMaintenanceWindow(id: "${always.id}") { id } }`);

    const nightly = await createWindow({
      clusters: ['prod'],
      startsAt: '2027-03-27T00:00:00Z',
      reason: 'nightly',
      recurring: { cron: '0 3 * * *', durationMinutes: 90, timeZone: 'Europe/Berlin' },
    });
    expect(nightly).toMatchObject({
      running: null,
      endsAt: null,
      recurring: { timeZone: 'Europe/Berlin' },
      upcoming: [
        { startsAt: '2027-03-27T02:00:00.000Z', endsAt: '2027-03-27T03:30:00.000Z' },
        { startsAt: '2027-03-28T01:00:00.000Z', endsAt: '2027-03-28T02:30:00.000Z' },
        { startsAt: '2027-03-29T01:00:00.000Z' },
      ],
    });
  });

  it('is refused with what is wrong', async () => {
    const good = { clusters: ['prod'], reason: 'r', recurring: { cron: '0 3 * * *', durationMinutes: 60, timeZone: 'UTC' } };
    const wrong: [object, string][] = [
      [{ ...good, recurring: { ...good.recurring, cron: '99 * * * *' } }, 'recurring.cron: expected a cron expression'],
      [{ ...good, recurring: { ...good.recurring, cron: '* * * * * *' } }, 'recurring.cron: expected five fields'],
      [{ ...good, recurring: { ...good.recurring, cron: '0 0 30 2 *' } }, 'recurring.cron: expected a time that comes'],
      [{ ...good, recurring: { ...good.recurring, durationMinutes: -5 } }, 'recurring.durationMinutes: expected a whole number from 1'],
      [{ ...good, recurring: { ...good.recurring, timeZone: 'Mars/Base' } }, 'timeZone "Mars/Base" is not in the IANA time zone database'],
      [{ clusters: ['prod'], reason: 'r' }, 'endsAt: expected a time, because only what recurs'],
      [{ clusters: ['prod'], reason: 'r', startsAt: inHours(2), endsAt: inHours(1) }, 'endsAt: expected a time after startsAt'],
    ];
    for (const [input, message] of wrong)
      expect(await createWindow(input)).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(message) });
  });
});
