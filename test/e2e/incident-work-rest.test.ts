import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busyOnceChanged } from '../support/busy-reads.js';
import { e4011 } from '../support/core-event.js';
import { openEvents } from '../support/live-client.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

let casebook: TestCasebook;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN, CASEBOOK_AUTH: 'required' });
  await casebook.register('prod');
  for (const [name, input] of Object.entries({
    ana: 'role: OPERATOR',
    bo: 'role: OPERATOR',
    vic: 'role: VIEWER',
    far: 'role: OPERATOR, clusters: ["elsewhere"]',
  })) {
    const { data, errors } = await casebook.graphql(`mutation { createApiToken(input: { name: "${name}", ${input} }) { token } }`);
    expect(errors).toBeUndefined();
    tokens[name] = (data['createApiToken'] as { token: string }).token;
  }
});
afterAll(() => casebook?.stop());

/** Opens an incident on an Ingress and returns its id. */
async function open(name: string): Promise<string> {
  await casebook.post('prod', e4011({ name, at: new Date(Date.now() - 1_800_000).toISOString() }));
  const { data } = await casebook.graphql(
    `{ incidents(filter: { subject: { kind: "Ingress", namespace: "shop", name: "${name}" } }) { nodes { id } } }`,
  );
  return (data['incidents'] as { nodes: { id: string }[] }).nodes[0]!.id;
}

const get = (path: string, token = tokens['vic']): Promise<Answer> => casebook.send('GET', `/v1/incidents/${path}`, { token });
const work = (path: string, body?: unknown, headers: Record<string, string> = {}, token = tokens['ana']): Promise<Answer> =>
  casebook.send('POST', `/v1/incidents/${path}`, { body, headers, token });

describe('work on an incident over REST', () => {
  it('is acknowledged, assigned, commented on, resolved and reopened, and tells all of it', async () => {
    const id = await open('story');
    const seen = await get(`${id}?locale=zh`);
    expect(seen).toMatchObject({
      status: 200,
      body: { id, cluster: 'prod', status: 'open', title: 'TLS 引用的 Secret 中没有证书 ID', acknowledgedBy: null, assignee: null },
    });
    expect(seen.headers.get('etag')).toBe(`"${seen.body.version}"`);

    const taken = await work(`${id}/acknowledge`);
    expect(taken).toMatchObject({ status: 200, body: { status: 'acknowledged', acknowledgedBy: 'ana' } });
    expect(taken.headers.get('etag')).toBe(`"${taken.body.version}"`);
    expect(taken.body.version).toBeGreaterThan(seen.body.version);
    expect((await work(`${id}/unacknowledge`)).body).toMatchObject({ status: 'open', acknowledgedBy: null, acknowledgedAt: null });
    expect((await work(`${id}/assign`, { assignee: 'bo' })).body.assignee).toBe('bo');
    expect((await work(`${id}/assign`, { assignee: null })).body.assignee).toBeNull();
    expect((await work(`${id}/comments`, { text: 'certificate ordered' })).status).toBe(200);
    expect((await work(`${id}/resolve`, { reason: 'certificate replaced' })).body).toMatchObject({
      status: 'resolved',
      resolvedBy: 'MANUAL',
    });
    expect((await work(`${id}/reopen`)).body).toMatchObject({ status: 'open', resolvedAt: null });

    const { body: all } = await get(`${id}/history`);
    expect(all.totalCount).toBe(8);
    expect(all.nodes.map(({ kind, by, text }: Record<string, unknown>) => [kind, by, text].filter(Boolean).join(' '))).toEqual([
      'REOPENED ana',
      'RESOLVED ana certificate replaced',
      'COMMENTED ana certificate ordered',
      'ASSIGNED ana',
      'ASSIGNED ana',
      'UNACKNOWLEDGED ana',
      'ACKNOWLEDGED ana',
      'OPENED',
    ]);
    expect(all.nodes[4]).toMatchObject({ before: { assignee: null }, after: { status: 'open', assignee: 'bo' } });
    const { body: first } = await get(`${id}/history?first=5`);
    const { body: rest } = await get(`${id}/history?first=5&after=${first.pageInfo.endCursor}`);
    expect([...first.nodes, ...rest.nodes]).toEqual(all.nodes);
    expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
  });

  it('is told as it happens when one takes it over from another', async () => {
    const id = await open('over');
    const stream = await openEvents(`${casebook.url}/v1/incidents/changes`, { authorization: `Bearer ${tokens['vic']}` });
    try {
      const first = await work(`${id}/acknowledge`);
      const second = await work(`${id}/acknowledge`, undefined, {}, tokens['bo']);
      expect([first.body.acknowledgedBy, second.body.acknowledgedBy]).toEqual(['ana', 'bo']);
      await work(`${id}/comments`, { text: 'mine now' });
      expect((await stream.changes.next(2)).map(({ data }) => [data.incident.id, data.kind, data.statusBefore])).toEqual([
        [id, 'ACKNOWLEDGED', 'open'],
        [id, 'ACKNOWLEDGED', 'acknowledged'],
      ]);
    } finally {
      stream.close();
    }
  });

  it('is answered as done when all connections for reading are taken meanwhile', async () => {
    const id = await open('busy');
    const free = await busyOnceChanged(casebook);
    const answer = await work(`${id}/comments`, { text: 'once' }).finally(free);
    expect(answer).toMatchObject({ status: 200, body: { id, cluster: 'prod', silenced: false } });
    expect((await get(`${id}/history`)).body.nodes.filter(({ kind }: { kind: string }) => kind === 'COMMENTED')).toHaveLength(1);
  });

  it('is not done when its answer is asked for in a language that there is not', async () => {
    const id = await open('language');
    expect((await work(`${id}/comments?locale=tlh`, { text: 'once' })).status).toBe(400);
    expect((await get(`${id}/history`)).body.totalCount).toBe(1);
  });

  it('tells whether it is silenced', async () => {
    const [quiet, loud] = [await open('quiet'), await open('loud')];
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    await casebook.graphql(
      `mutation { createSilence(input: { names: ["quiet"], endsAt: "${endsAt}", reason: "certificate ordered" }) { id } }`,
    );
    expect([(await get(quiet)).body.silenced, (await get(loud)).body.silenced]).toEqual([true, false]);
    expect((await work(`${quiet}/acknowledge`)).body.silenced).toBe(true);
  });

  it('is refused when somebody else was first, whichever way the version is said', async () => {
    const id = await open('race');
    const { headers } = await get(id);
    const etag = headers.get('etag')!;
    expect((await work(`${id}/comments`, { text: 'mine' }, { 'if-match': etag })).status).toBe(200);
    const stale = [
      await work(`${id}/resolve`, { reason: 'late' }, { 'if-match': etag }),
      await work(`${id}/resolve`, { expectedVersion: Number(etag.slice(1, -1)) }),
    ];
    for (const answer of stale) {
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
      expect(answer.body.error.message).toMatch(/ana commented on it/);
    }
    expect((await get(id)).body.status).toBe('open');
    expect((await work(`${id}/resolve`, undefined, { 'if-match': '*' })).status).toBe(200);
    expect(await work(`${id}/acknowledge`)).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('resolved') as string } },
    });
  });

  it('is for operators, and for what they may see', async () => {
    const id = await open('closed');
    expect((await work(`${id}/acknowledge`, undefined, {}, tokens['vic'])).status).toBe(403);
    for (const token of [tokens['far'], tokens['ana']]) {
      const path = token === tokens['far'] ? id : NOBODY;
      for (const route of ['acknowledge', 'unacknowledge', 'resolve', 'reopen'])
        expect((await work(`${path}/${route}`, undefined, {}, token)).status, route).toBe(404);
      expect((await work(`${path}/comments`, { text: 'x' }, {}, token)).status).toBe(404);
      expect((await work(`${path}/assign`, { assignee: 'x' }, {}, token)).status).toBe(404);
      expect((await get(path, token)).status).toBe(404);
      expect((await get(`${path}/history`, token)).status).toBe(404);
    }
    expect((await get('no-uuid')).status).toBe(404);
    expect((await get(`${id}/history`)).body.totalCount).toBe(1);
  });

  it('takes nothing that is wrong', async () => {
    const id = await open('wrong');
    const wrong: [string, unknown, Record<string, string>?][] = [
      ['comments', {}],
      ['comments', undefined],
      ['comments', { text: ' ' }],
      ['comments', { text: 'x'.repeat(4001) }],
      ['comments', { text: 'a\0b' }],
      ['comments', { text: 7 }],
      ['comments', 'not JSON'],
      ['comments', ['x']],
      ['resolve', { reason: 'x'.repeat(1001) }],
      ['resolve', { resaon: 'a typo' }],
      ['assign', { assignee: { name: 'ana' } }],
      ['acknowledge', { expectedVersion: 0 }],
      ['acknowledge', { expectedVersion: '1' }],
      ['acknowledge', undefined, { 'if-match': '1' }],
      ['acknowledge', undefined, { 'if-match': '"1", "2"' }],
      ['acknowledge', { expectedVersion: 1 }, { 'if-match': '"2"' }],
    ];
    for (const [route, body, headers] of wrong)
      expect(await work(`${id}/${route}`, body, headers), JSON.stringify([route, body, headers])).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_INPUT' } },
      });
    expect((await get(`${id}/history?after=x`)).body.error.code).toBe('BAD_CURSOR');
    expect((await get(`${id}/history?first=101`)).body.error.code).toBe('BAD_INPUT');
    expect((await get(`${id}/history`)).body.totalCount).toBe(1);
  });
});
