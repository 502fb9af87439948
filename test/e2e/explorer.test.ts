import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { e4011 } from '../support/core-event.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';

type Result = { data?: Record<string, unknown>; errors?: { message: string }[] };
type Fetcher = (
  asked: { query: string; operationName?: string },
  with_: { headers?: object; documentAST: unknown },
) => Promise<Result> | AsyncIterator<Result>;

let casebook: TestCasebook;
let page: string;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_AUTH: 'required', CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN });
  await casebook.register('prod');
  page = (await casebook.send('GET', '/graphql', { headers: { accept: 'text/html' } })).body as string;
});
afterAll(() => casebook?.stop());

/** Asks as the page does that the service gave to a browser: with its own function, in the way its editor calls it. */
function ask(query: string, headers?: object): ReturnType<Fetcher> {
  const [, code] = /, fetcher: ([\s\S]+) \},\s*\);\s*<\/script>/.exec(page.slice(page.lastIndexOf('YogaGraphiQL.renderYogaGraphiQL(')))!;
  const location = { href: `${casebook.url}/graphql?tab=1`, pathname: '/graphql' };
  // oxlint-disable-next-line no-implied-eval, no-new-func -- it is the page that is tried
  const fetcher = new Function('location', 'fetch', 'WebSocket', `return ${code};`)(location, fetch, WebSocket) as Fetcher;
  return fetcher({ query }, { ...(headers && { headers }), documentAST: parse(query) });
}

const SUBSCRIPTION = 'subscription Watch { incidentChanged { kind incident { subject { name } } } }';
const TOKEN = { Authorization: `Bearer ${ADMIN_TOKEN}` };

describe('the explorer', () => {
  it('asks queries with the token of its headers editor', async () => {
    expect(await ask('{ clusters { name } }', TOKEN)).toMatchObject({ data: { clusters: [{ name: 'prod' }] } });
    expect(await ask('{ clusters { name } }')).toMatchObject({
      errors: [{ message: expect.stringContaining('token is needed') as string }],
    });
  });

  it('follows subscriptions with it too, and ends them', async () => {
    const changes = ask(SUBSCRIPTION, TOKEN) as AsyncIterator<Result>;
    const first = changes.next();
    // A subscription tells what happens after it began: something happens until it does.
    let told = false;
    void first.then(() => (told = true));
    for (let i = 0; !told; i++) await casebook.post('prod', e4011({ name: `web-${i}` }));
    expect(await first).toMatchObject({
      done: false,
      value: { data: { incidentChanged: { kind: 'OPENED', incident: { subject: { name: expect.stringMatching(/^web-/) as string } } } } },
    });
    expect(await changes.return!()).toEqual({ value: undefined, done: true });
  });

  it.each([
    ['no', undefined, /token is needed/],
    ['a wrong', { authorization: 'Bearer wrong-token-of-nobody' }, /token/],
  ])('says why a subscription with %s token ends', async (_which, headers, message) => {
    const changes = ask(SUBSCRIPTION, headers) as AsyncIterator<Result>;
    const { value } = await changes.next();
    expect((value as Result).errors![0]!.message).toMatch(message);
    expect((await changes.next()).done).toBe(true);
  });

  it('tells what is wrong with a subscription', async () => {
    const changes = ask('subscription { nothing }', TOKEN) as AsyncIterator<Result>;
    expect(((await changes.next()).value as Result).errors![0]!.message).toContain('nothing');
    expect((await changes.next()).done).toBe(true);
  });
});
