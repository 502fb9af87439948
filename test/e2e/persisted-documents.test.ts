/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { e4011 } from '../support/core-event.js';
import { CHANGES, subscribe } from '../support/live-client.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

const JSON_TYPE = { 'content-type': 'application/json' };
/** Programs have to say that they are none of a browser's plain forms. */
const FROM_PROGRAM = { 'apollo-require-preflight': 'true' };
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (id: unknown, version: unknown = 1): object => ({ extensions: { persistedQuery: { version, sha256Hash: id } } });

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'casebook-documents-'))));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a list as Apollo's tool does, and returns the file. */
async function manifest(name: string, documents: Record<string, string>): Promise<string> {
  const operations = Object.entries(documents).map(([id, body]) => ({ id, name: 'Any', type: 'query', body }));
  const file = join(folder, name);
  await writeFile(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
  return file;
}

/** Asks as a client of the protocol does. */
function ask(casebook: TestCasebook, body: object, token?: string): Promise<Answer> {
  return casebook.send('POST', '/graphql', { body, headers: JSON_TYPE, token });
}
function get(casebook: TestCasebook, { extensions, ...parameters }: Record<string, any>, token?: string): Promise<Answer> {
  const query = new URLSearchParams({ ...parameters, ...(extensions && { extensions: JSON.stringify(extensions) }) });
  return casebook.send('GET', `/graphql?${query.toString()}`, { headers: FROM_PROGRAM, token });
}
const codeOf = ({ status, body }: Answer): [number, string] => [status, body.errors?.[0].extensions.code];

describe('automatic persisted queries', () => {
  let casebook: TestCasebook;
  beforeAll(async () => {
    casebook = await startTestCasebook();
    await casebook.register('prod');
  });
  afterAll(() => casebook?.stop());

  it.each([
    ['POST', ask],
    ['GET', get],
  ])('are answered by their hash once they were sent, by %s', async (method, send) => {
    const query = `query ${method} { clusters { name } }`;
    const unknown = await send(casebook, persisted(hashOf(query)));
    expect(unknown.status).toBe(200);
    expect(unknown.body.errors).toEqual([{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
    const data = { clusters: [{ name: 'prod' }] };
    expect((await send(casebook, { query, ...persisted(hashOf(query)) })).body.data).toEqual(data);
    expect((await ask(casebook, persisted(hashOf(query)))).body.data).toEqual(data);
    expect((await get(casebook, persisted(hashOf(query)))).body.data).toEqual(data);
    expect(casebook.logged).toEqual([]);
  });

  it('are not known by another hash, nor when they are wrong', async () => {
    const query = '{ clusters { name } }';
    expect(codeOf(await ask(casebook, { query, ...persisted(hashOf('{ other }')) }))).toEqual([400, 'BAD_INPUT']);
    expect(codeOf(await ask(casebook, persisted(hashOf('{ other }'))))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
    const wrong = '{ nosuch }';
    expect(codeOf(await ask(casebook, { query: wrong, ...persisted(hashOf(wrong)) }))).toEqual([400, 'BAD_INPUT']);
    expect(codeOf(await ask(casebook, persisted(hashOf(wrong))))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
  });

  it.each([
    ['another version', persisted(hashOf('x'), 2)],
    ['a hash that is no text', persisted({ a: 1 })],
    ['an empty query with a hash', { query: '', ...persisted(hashOf('x')) }],
    ['a persisted query that is a text', { extensions: { persistedQuery: 'x' } }],
    ['nothing at all', { extensions: {} }],
  ])('refuses %s', async (_name, body) => {
    expect(codeOf(await ask(casebook, body))).toEqual([400, 'BAD_INPUT']);
    expect(casebook.logged).toEqual([]);
  });

  it('refuse mutations by GET, and what a page of another origin could send', async () => {
    const query = 'mutation { removeCluster(name: "x", confirm: "x") { name } }';
    expect(codeOf(await get(casebook, { query, ...persisted(hashOf(query)) }))).toEqual([405, 'BAD_INPUT']);
    const address = `/graphql?extensions=${encodeURIComponent(JSON.stringify(persisted(hashOf(query))))}`;
    expect(codeOf(await casebook.send('GET', address))).toEqual([400, 'BAD_INPUT']);
  });

  it('go over WebSocket too', async () => {
    const extensions = persisted(hashOf(CHANGES)) as { extensions: Record<string, unknown> };
    const unknown = await subscribe(casebook.url, '', extensions);
    expect(await unknown.outcome()).toEqual([{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
    const first = await subscribe(casebook.url, CHANGES, extensions);
    await casebook.post('prod', e4011({ name: 'first' }));
    await first.next(1);
    const second = await subscribe(casebook.url, '', extensions);
    await casebook.post('prod', e4011({ name: 'second' }));
    expect((await second.next(1))[0].data.incidentChanged.incident.subject).toEqual({ name: 'second' });
    await Promise.all([unknown, first, second].map((each) => each.close()));
  });

  it('leave the explorer to browsers', async () => {
    const page = await casebook.send('GET', '/graphql', { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toMatch('text/html');
  });
});

describe('trusted documents', () => {
  const LISTED = '{ problems(first: 1) { totalCount } }';
  const OTHER = '{ clusters { name } }';
  let casebook: TestCasebook;
  let viewer: string;
  beforeAll(async () => {
    const file = await manifest('list.json', { [hashOf(LISTED)]: LISTED, 'changes-v1': CHANGES });
    casebook = await startTestCasebook({
      CASEBOOK_AUTH: 'required',
      CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
      CASEBOOK_TRUSTED_DOCUMENTS: file,
      CASEBOOK_TRUSTED_DOCUMENTS_ONLY: 'on',
    });
    await casebook.register('prod');
    const { data } = await casebook.graphql('mutation { createApiToken(input: { name: "viewer", role: VIEWER }) { token } }');
    viewer = data['createApiToken'].token;
  });
  afterAll(() => casebook?.stop());

  it('are answered by their id or their text, to whoever may ask', async () => {
    for (const body of [persisted(hashOf(LISTED)), { query: LISTED }, { query: LISTED, ...persisted(hashOf(LISTED)) }])
      for (const send of [ask, get]) expect((await send(casebook, body, viewer)).body.data.problems.totalCount).toBeGreaterThan(0);
    expect(codeOf(await ask(casebook, persisted(hashOf(LISTED))))).toEqual([401, 'UNAUTHENTICATED']);
  });

  it.each([
    ['another query', { query: OTHER }],
    ['another query with its hash', { query: OTHER, ...persisted(hashOf(OTHER)) }],
    ['the hash of another', persisted(hashOf(OTHER))],
    ['a query that is none', { query: '{ this is' }],
    ['introspection', { query: '{ __schema { queryType { name } } }' }],
    ['a listed one with a blank more', { query: `${LISTED} ` }],
  ])('leave no room for %s', async (_name, body) => {
    for (const send of [ask, get]) {
      const answer = await send(casebook, body, viewer);
      expect(codeOf(answer)).toEqual([403, 'FORBIDDEN']);
      expect(answer.body.errors[0].message).toMatch('list');
      expect(answer.body.data).toBeUndefined();
    }
  });

  it('leave admins free, but not for others', async () => {
    expect((await ask(casebook, { query: OTHER, ...persisted(hashOf(OTHER)) }, ADMIN_TOKEN)).body.data.clusters).toEqual([
      { name: 'prod' },
    ]);
    expect((await ask(casebook, persisted(hashOf(OTHER)), ADMIN_TOKEN)).body.data.clusters).toEqual([{ name: 'prod' }]);
    expect(codeOf(await ask(casebook, persisted(hashOf(OTHER)), viewer))).toEqual([403, 'FORBIDDEN']);
  });

  it('go over WebSocket by an id of any form, and nothing else does', async () => {
    const headers = { authorization: `Bearer ${viewer}` };
    const listed = await subscribe(casebook.url, '', { headers, ...persisted('changes-v1') });
    await casebook.post('prod', e4011({ name: 'web' }), ADMIN_TOKEN);
    expect((await listed.next(1))[0].data.incidentChanged.incident.subject).toEqual({ name: 'web' });
    const other = await subscribe(casebook.url, 'subscription { incidentChanged { cursor } }', { headers });
    expect(await other.outcome()).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    await Promise.all([listed.close(), other.close()]);
  });

  it('hold for those without a token where none is needed', async () => {
    const file = await manifest('open.json', { a: LISTED });
    const open = await startTestCasebook({ CASEBOOK_TRUSTED_DOCUMENTS: file, CASEBOOK_TRUSTED_DOCUMENTS_ONLY: 'on' });
    try {
      expect(codeOf(await ask(open, { query: OTHER }))).toEqual([403, 'FORBIDDEN']);
      expect((await ask(open, persisted('a'))).body.data.problems.totalCount).toBeGreaterThan(0);
    } finally {
      await open.stop();
    }
  });

  it('stand beside other queries where they are not alone', async () => {
    const both = await startTestCasebook({ CASEBOOK_TRUSTED_DOCUMENTS: await manifest('both.json', { a: LISTED }) });
    try {
      expect((await get(both, persisted('a'))).body.data.problems.totalCount).toBeGreaterThan(0);
      expect((await ask(both, { query: OTHER })).body.data.clusters).toEqual([]);
    } finally {
      await both.stop();
    }
  });

  it('keep the service from starting when the file is missing, broken or not for this schema', async () => {
    const files = {
      missing: join(folder, 'none.json'),
      broken: await manifest('broken.json', { a: '{' }),
      foreign: await manifest('foreign.json', { a: '{ nosuch }' }),
      deep: await manifest('deep.json', { a: `{ problems { nodes { ${'related { '.repeat(12)} id ${'}'.repeat(12)} } } }` }),
    };
    const said = { missing: /ENOENT/, broken: /"a".*Syntax/, foreign: /"a".*nosuch/, deep: /"a".*depth/i };
    for (const [name, file] of Object.entries(files)) {
      await expect(startTestCasebook({ CASEBOOK_TRUSTED_DOCUMENTS: file }), name).rejects.toMatchObject({
        code: 'TRUSTED_DOCUMENTS',
        message: expect.stringMatching(said[name as keyof typeof said]),
      });
    }
  });
});

describe('the cost of an operation', () => {
  let casebook: TestCasebook;
  beforeAll(async () => {
    casebook = await startTestCasebook();
    await casebook.register('prod');
  });
  afterAll(() => casebook?.stop());

  it.each([
    ['{ clusters { name } }', {}, 5],
    ['{ incidentChangeCursor }', {}, 0],
    ['query ($n: Int) { incidents(first: $n) { nodes { events(first: 10) { nodes { id } } } } }', { n: 3 }, 3 + 3 + 30 + 30],
    ['query ($n: Int = 100) { incidents(first: $n) { nodes { id } } }', {}, 200],
    ['query ($n: Int = 100) { incidents(first: $n) { nodes { id } } }', { n: 1 }, 2],
    // The example of docs/federation.md.
    ['{ incidents(first: 50) { nodes { cluster { name } events(first: 10) { nodes { id } } } } }', {}, 1150],
    ['query ($n: Int) { incidents(first: $n) { nodes { id } } }', { n: 0 }, 2],
  ])('is told with the answer to %s', async (query, variables, requested) => {
    expect((await ask(casebook, { query, variables })).body.extensions).toEqual({ cost: { requested, limit: 50_000 } });
  });

  it('is told when it is too much, in the error and beside it', async () => {
    const query =
      '{ incidents(first: 200) { nodes { events(first: 100) { nodes { id } edges { node { id } } } affected(first: 100) { name } } } }';
    const { status, body } = await ask(casebook, { query });
    const cost = { requested: 400 + 4 * 20_000 + 20_000, limit: 50_000 };
    expect([status, body.errors.length, body.errors[0].extensions]).toEqual([400, 1, { code: 'TOO_LARGE', cost }]);
    expect(body.extensions).toEqual({ cost });
  });

  it('is not told of what cannot be read', async () => {
    expect((await ask(casebook, { query: '{ clusters { ' })).body.extensions).toBeUndefined();
  });

  it('is told with each answer of a subscription, and when that asks for too much', async () => {
    const subscription = await subscribe(casebook.url);
    await casebook.post('prod', e4011({ name: 'costly' }));
    const [{ extensions }] = await subscription.next(1);
    expect(extensions).toEqual({ cost: { requested: 5, limit: 50_000 } });
    await subscription.close();
    const related = `related { ${'related { '.repeat(5)} id ${'}'.repeat(5)} }`;
    const over = await subscribe(
      casebook.url,
      `subscription { incidentChanged { incident { problem { a: ${related} b: ${related} c: ${related} } } } }`,
    );
    expect(await over.outcome()).toMatchObject([{ extensions: { code: 'TOO_LARGE', cost: { requested: 3 + 3 * 19_530, limit: 50_000 } } }]);
    await over.close();
  });
});
