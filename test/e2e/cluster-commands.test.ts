/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { e4011 } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';

const COMMAND = resolve('dist/commands/casebook.command.js');

interface Ran {
  code: number;
  out: string;
  err: string;
}

let casebook: TestCasebook;
let folder: string;

beforeAll(async () => {
  casebook = await startTestCasebook({
    CASEBOOK_AUTH: 'required',
    CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
    CASEBOOK_SECRET_KEY: 'ab'.repeat(32),
    // What the commands read does not disturb the service.
    CASEBOOK_URL: 'http://127.0.0.1:1',
    CASEBOOK_TOKEN: 'another-token',
  });
  folder = await mkdtemp(join(tmpdir(), 'casebook-commands-'));
});
afterAll(async () => {
  await casebook?.stop();
  await rm(folder, { recursive: true, force: true });
});

function run(program: string, args: readonly string[], env: Record<string, string>, input = ''): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(program, args, { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env } }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin!.end(input);
  });
}

const raw = (args: readonly string[], env: Record<string, string> = {}, input?: string): Promise<Ran> =>
  run(process.execPath, [COMMAND, ...args], env, input);
const clusters = (...args: string[]): Promise<Ran> =>
  raw(['clusters', ...args], { CASEBOOK_URL: casebook.url, CASEBOOK_TOKEN: ADMIN_TOKEN });
async function json(...args: string[]): Promise<any> {
  const { code, out, err } = await clusters(...args, '--json');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('casebook clusters', () => {
  it('leads a cluster through its life', { timeout: 60_000 }, async () => {
    const added = await clusters(
      'add',
      'prod-eu',
      '--provider',
      'tke-serverless',
      '--region',
      'eu',
      '--label',
      'team=shop',
      '--label',
      'tier=a=b',
    );
    expect(added).toMatchObject({ code: 0, err: expect.stringContaining(`/v1/clusters/prod-eu/events`) });
    const first = added.out.trim();
    expect(first).toMatch(/^cb_[\w-]{43}$/);
    expect(await json('show', 'prod-eu')).toMatchObject({
      name: 'prod-eu',
      provider: 'TKE_SERVERLESS',
      region: 'eu',
      labels: { team: 'shop', tier: 'a=b' },
      state: 'ACTIVE',
    });
    expect((await clusters('list')).out).toMatch(/^NAME +PROVIDER +REGION .*\nprod-eu +tke-serverless +eu +active +never +0\n$/);

    const { token: second, issued } = await json('rotate', 'prod-eu', '--grace', '2h');
    for (const token of [first, second]) expect((await casebook.post('prod-eu', e4011(), token)).status).toBe(200);
    const listed = await json('tokens', 'prod-eu');
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([issued.id, expect.any(String)]);
    expect(Date.parse(listed[1].expiresAt) - Date.now()).toBeLessThanOrEqual(7_200_000);
    const table = (await clusters('tokens', 'prod-eu')).out;
    expect(table).toMatch(/^ID +CREATED +LAST USED +EXPIRES\n/);
    expect(table).toMatch(/\d\d:\d\dZ +when revoked\n/);
    for (const token of [first, second]) expect(JSON.stringify(listed) + table).not.toContain(token.slice(3));
    expect((await clusters('revoke', 'prod-eu', listed[1].id)).code).toBe(0);
    expect((await casebook.post('prod-eu', e4011(), first)).status).toBe(401);

    expect(await json('update', 'prod-eu', '--provider', 'tke', '--events-per-second', '99', '--max-body-bytes', '4096')).toMatchObject({
      provider: 'TKE',
      region: 'eu',
      eventsPerSecond: 99,
      maxBodyBytes: 4096,
    });
    expect(await json('update', 'prod-eu', '--events-per-second', 'default')).toMatchObject({ eventsPerSecond: null, maxBodyBytes: 4096 });

    const secret = (await clusters('rotate-secret', 'prod-eu')).out.trim();
    expect(secret).toMatch(/^cs_/);
    expect((await json('require-signatures', 'prod-eu', 'on')).signaturesRequired).toBe(true);
    const [{ id: secretId }] = await json('secrets', 'prod-eu');
    expect(await clusters('revoke-secret', 'prod-eu', secretId)).toMatchObject({ code: 1, err: expect.stringContaining('(CONFLICT)') });
    expect((await json('require-signatures', 'prod-eu', 'off')).signaturesRequired).toBe(false);
    expect((await clusters('revoke-secret', 'prod-eu', secretId)).code).toBe(0);
    expect((await clusters('secrets', 'prod-eu')).out).toBe('There is none.\n');

    const suspended = await clusters('suspend', 'prod-eu', '--reason', 'too \u001b[31mloud');
    expect(suspended.out).toMatch(/suspended +\d{4}-.*Z: too \?\[31mloud\n/);
    expect((await casebook.post('prod-eu', e4011(), second)).status).toBe(403);
    expect((await json('resume', 'prod-eu')).state).toBe('ACTIVE');

    expect(await clusters('remove', 'prod-eu')).toMatchObject({ code: 2, err: expect.stringContaining('--confirm prod-eu') });
    expect(await clusters('remove', 'prod-eu', '--confirm', 'prod-eu', '--wait')).toEqual({ code: 0, out: 'prod-eu is gone.\n', err: '' });
    expect((await clusters('list')).out).toContain('No cluster is registered');
  });

  it.each<[string[], number, string]>([
    [['clusters', 'show', 'nowhere'], 1, 'no cluster named "nowhere" is registered (NOT_FOUND)'],
    [['clusters', 'rotate', 'nowhere'], 1, 'no cluster named "nowhere" is registered (NOT_FOUND)'],
    [['clusters', 'add', 'bad name'], 1, '(BAD_INPUT)'],
    [['clusters', 'add', 'x', '--provider', 'gke'], 1, 'GKE'],
    [['clusters', 'add'], 2, 'expected: casebook clusters add <name>'],
    [['clusters', 'show', 'a', 'b'], 2, 'expected: casebook clusters show <name>'],
    [['clusters', 'add', 'x', '--colour', 'red'], 2, "Unknown option '--colour'"],
    [['clusters', 'add', 'x', '--label', 'team'], 2, '--label: expected name=value, got "team"'],
    [['clusters', 'rotate', 'x', '--grace', 'soon'], 2, '--grace: expected 0 or a duration'],
    [['clusters', 'require-signatures', 'x', 'maybe'], 2, 'expected on or off'],
    [['clusters', 'update', 'x', '--max-body-bytes', '1k'], 2, '--max-body-bytes: expected a whole number or default'],
    [['clusters', 'frobnicate'], 2, 'there is no command "frobnicate"'],
    [['frobnicate'], 2, 'there is no command "frobnicate"'],
    [['clusters', 'list', '--url', 'nonsense'], 2, '--url: expected an address'],
    [['clusters', 'list', '--token-file', '/nonexistent/file'], 2, '--token-file: ENOENT'],
    [['clusters', 'list', '--token', 'a', '--token-file', 'b'], 2, 'exclude each other'],
  ])('%j ends with %i', async (args, code, message) => {
    const ran = await raw(args, { CASEBOOK_URL: casebook.url, CASEBOOK_TOKEN: ADMIN_TOKEN });
    expect([ran.code, ran.err, ran.out]).toEqual([code, expect.stringContaining(message), '']);
    expect(ran.err).not.toMatch(/\n {4}at /);
  });

  it('says which token it takes, and takes it from a file or standard input as well', async () => {
    const env = { CASEBOOK_URL: casebook.url };
    const file = join(folder, 'token');
    await writeFile(file, `${ADMIN_TOKEN}\n`);
    expect(await raw(['clusters', 'list'], env)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/A token is needed.*Set CASEBOOK_TOKEN.*\(UNAUTHENTICATED\)/s),
    });
    expect(await raw(['clusters', 'list', '--token', 'wrong-token-wrong-token'], env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('not known'),
    });
    expect((await raw(['clusters', 'list', '--token-file', file], { ...env, CASEBOOK_TOKEN: 'wrong' })).code).toBe(0);
    expect((await raw(['clusters', 'list', '--token-file', '-'], env, ADMIN_TOKEN)).code).toBe(0);
    const token = await casebook.register('own-token');
    expect(await raw(['clusters', 'list'], { ...env, CASEBOOK_TOKEN: token })).toMatchObject({
      code: 1,
      err: expect.stringContaining('(FORBIDDEN)'),
    });
  });

  it('says when nobody answers', async () => {
    const closed = createServer();
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    await new Promise((done) => closed.close(done));
    expect(await raw(['clusters', 'list', '--url', url])).toMatchObject({
      code: 3,
      err: expect.stringContaining(`${url}/graphql cannot be reached: connect ECONNREFUSED`),
    });
  });

  it('does not take another server for Casebook', async () => {
    const other = createServer((_, response) => void response.writeHead(302, { location: 'https://login.example/' }).end('<html>'));
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    try {
      const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
      expect(await raw(['clusters', 'list'], { CASEBOOK_URL: url })).toMatchObject({
        code: 3,
        err: expect.stringContaining('does not answer as Casebook does: status 302, which leads to https://login.example/'),
      });
    } finally {
      other.close();
    }
  });

  it('explains itself', async () => {
    for (const args of [['--help'], ['clusters', '--help'], ['clusters', 'rotate', '--help']]) {
      const ran = await raw(args);
      expect([ran.code, ran.err]).toEqual([0, '']);
      expect(ran.out).toContain(args.length === 3 ? 'rotate <name> [--grace <duration>]' : 'clusters');
    }
  });

  it('is what npx runs in a built checkout', async () => {
    const ran = await run('npx', ['--no', 'casebook', 'clusters', 'list', '--json'], {
      CASEBOOK_URL: casebook.url,
      CASEBOOK_TOKEN: ADMIN_TOKEN,
    });
    expect(ran).toMatchObject({ code: 0 });
    expect(JSON.parse(ran.out)).toEqual([expect.objectContaining({ name: 'own-token' })]);
  });
});
