import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Sealer } from '../../src/store/seal.service.js';
import { e4011 } from '../support/core-event.js';
import type { Answer, TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

const [KEY, OLD_KEY] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];
const BODY = JSON.stringify(e4011());

let casebook: TestCasebook;
let taken = 0;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_SECRET_KEY: KEY, CASEBOOK_SECRET_KEY_OLD: OLD_KEY });
});
afterAll(() => casebook?.stop());

const now = (): number => Math.floor(Date.now() / 1000);
const sign = (secret: string, body: string | Uint8Array, time = now()): string =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`;
const send = (
  cluster: string,
  signature?: string,
  body: string | Uint8Array = BODY,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  casebook.send('POST', `/v1/clusters/${cluster}/events`, {
    body,
    headers: { ...(signature !== undefined && { 'x-casebook-signature': signature }), ...headers },
  });
const told = ({ status, body }: Answer): [number, string] => [status, (body as { error?: { message: string } }).error?.message ?? ''];

async function newCluster(): Promise<{ name: string; secret: string; token: string }> {
  const name = `signing-${taken++}`;
  const token = await casebook.register(name);
  return { name, token, secret: await rotate(name) };
}

async function rotate(name: string, graceSeconds = 3600): Promise<string> {
  const { data, errors } = await casebook.graphql(
    `mutation { rotateSigningSecret(name: "${name}", graceSeconds: ${graceSeconds}) { secret issued { id expiresAt } cluster { signingSecrets { id } } } }`,
  );
  expect(errors).toBeUndefined();
  expect(data['rotateSigningSecret'].secret).toMatch(/^cs_[\w-]{43}$/);
  expect(data['rotateSigningSecret'].cluster.signingSecrets[0].id).toBe(data['rotateSigningSecret'].issued.id);
  return data['rotateSigningSecret'].secret;
}

const require = (name: string, required = true): Promise<{ errors?: { message: string; extensions: { code: string } }[] }> =>
  casebook.graphql(`mutation { requireSignatures(name: "${name}", required: ${required}) { signaturesRequired } }`);

describe('a signature', () => {
  it('is checked when it is there, and asked for when the cluster requires it', async () => {
    const { name, secret } = await newCluster();
    expect((await send(name)).status).toBe(200);
    expect((await send(name, sign(secret, BODY))).status).toBe(200);
    expect((await require(name)).errors).toBeUndefined();
    expect(told(await send(name))).toEqual([401, expect.stringContaining(`Cluster "${name}" takes signed bodies only`)]);
    expect((await send(name, sign(secret, BODY))).body).toMatchObject({ accepted: 0, merged: 1 });
    await require(name, false);
    expect((await send(name)).status).toBe(200);
  });

  it.each<[string, (secret: string) => string, string]>([
    ['of another body', (secret) => sign(secret, `${BODY} `), 'does not fit the body as it was sent'],
    ['by another secret', () => sign('cs_another', BODY), 'does not fit the body as it was sent'],
    ['of another time than it says', (secret) => sign(secret, BODY, now() - 5).replace(/t=\d+/, `t=${now()}`), 'does not fit'],
    ['of six minutes ago', (secret) => sign(secret, BODY, now() - 360), 'seconds behind ours; at most 300'],
    ['of in six minutes', (secret) => sign(secret, BODY, now() + 360), 'seconds ahead of ours; at most 300'],
    ['in another form', (secret) => sign(secret, BODY).slice(0, -2), 'it has to be "t=<unix seconds>,v1=<64 hex digits>"'],
    ['that is empty', () => '', 'it has to be'],
  ])('%s is refused', async (_, make, message) => {
    const { name, secret } = await newCluster();
    expect(told(await send(name, make(secret)))).toEqual([401, expect.stringContaining(message)]);
    const { data } = await casebook.graphql(`{ incidents(filter: { clusters: ["${name}"] }) { nodes { id } } }`);
    expect(data['incidents'].nodes).toEqual([]);
  });

  it('covers the bytes as sent, compressed or not', async () => {
    const { name, secret } = await newCluster();
    const packed = gzipSync(BODY);
    const headers = { 'content-encoding': 'gzip' };
    expect((await send(name, sign(secret, packed), packed, headers)).status).toBe(200);
    expect((await send(name, sign(secret, BODY), packed, headers)).status).toBe(401);
  });

  it('is refused where nothing can be checked', async () => {
    const name = `signing-${taken++}`;
    await casebook.register(name);
    expect(told(await send(name, sign('cs_x', BODY)))).toEqual([401, expect.stringContaining('no valid signing secret')]);
    expect((await require(name)).errors![0]).toMatchObject({
      extensions: { code: 'CONFLICT' },
      message: expect.stringContaining('make one first'),
    });
  });

  it('may be by the secret before the last during its grace, and not by a revoked one', async () => {
    const { name, secret: first } = await newCluster();
    const second = await rotate(name);
    for (const secret of [first, second]) expect((await send(name, sign(secret, BODY))).status).toBe(200);
    const third = await rotate(name, 0);
    for (const secret of [first, second]) expect((await send(name, sign(secret, BODY))).status).toBe(401);
    await require(name);
    const { data } = await casebook.graphql(`{ cluster(name: "${name}") { signingSecrets { id expiresAt } } }`);
    const valid = data['cluster'].signingSecrets.filter(({ expiresAt }: { expiresAt: string | null }) => expiresAt === null);
    expect(valid).toHaveLength(1);
    const revoke = (): Promise<{ errors?: { extensions: { code: string } }[] }> =>
      casebook.graphql(`mutation { revokeSigningSecret(name: "${name}", id: ${valid[0].id}) { name } }`);
    expect((await revoke()).errors![0]!.extensions.code).toBe('CONFLICT');
    expect((await send(name, sign(third, BODY))).status).toBe(200);
    await require(name, false);
    expect((await revoke()).errors).toBeUndefined();
    expect((await send(name, sign(third, BODY))).status).toBe(401);
  });
});

describe('a signing secret', () => {
  it('is stored sealed, for its cluster alone', async () => {
    const { name, secret } = await newCluster();
    const { rows } = await casebook.database.pool.query<{ sealed: string; id: number }>(
      'SELECT s.sealed, c.id FROM signing_secret s JOIN cluster c ON c.id = s.cluster_id WHERE c.name = $1',
      [name],
    );
    expect(rows[0]!.sealed).not.toContain(secret.slice(3));
    expect(new Sealer({ current: KEY }).open(rows[0]!.sealed, `cluster/${rows[0]!.id}/signing`)).toBe(secret);
    expect(casebook.logged.join('')).not.toContain(secret);
  });

  it('that the old key sealed is sealed anew when it is used', async () => {
    const { name } = await newCluster();
    const { rows } = await casebook.database.pool.query<{ id: number }>('SELECT id FROM cluster WHERE name = $1', [name]);
    const { id } = rows[0]!;
    const byOld = new Sealer({ current: OLD_KEY }).seal('cs_of-old', `cluster/${id}/signing`);
    await casebook.database.pool.query('UPDATE signing_secret SET sealed = $2 WHERE cluster_id = $1', [id, byOld]);
    expect((await send(name, sign('cs_of-old', BODY))).status).toBe(200);
    const after = await casebook.database.pool.query<{ sealed: string }>('SELECT sealed FROM signing_secret WHERE cluster_id = $1', [id]);
    expect(new Sealer({ current: KEY }).open(after.rows[0]!.sealed, `cluster/${id}/signing`)).toBe('cs_of-old');
  });

  it('that no key opens makes the sender come back, and nothing is taken unchecked', async () => {
    const { name, secret } = await newCluster();
    await casebook.database.pool.query('UPDATE signing_secret s SET sealed = $2 FROM cluster c WHERE c.id = s.cluster_id AND c.name = $1', [
      name,
      new Sealer({ current: randomBytes(32).toString('hex') }).seal(secret, 'x'),
    ]);
    const answer = await send(name, sign(secret, BODY));
    expect(told(answer)).toEqual([503, expect.stringContaining('which this service does not have')]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('the example of docs/clusters.md signs with openssl', async () => {
  const { name, secret, token } = await newCluster();
  await require(name);
  const [, script] = /```sh\n(time=[\s\S]+?)```/.exec(await readFile('docs/clusters.md', 'utf8'))!;
  const folder = await mkdtemp(join(tmpdir(), 'casebook-sign-'));
  try {
    await writeFile(join(folder, 'events.json'), `${BODY}\n`);
    const { stdout } = await promisify(execFile)('sh', ['-euc', script!.replace('/prod-eu/', `/${name}/`)], {
      cwd: folder,
      env: { PATH: process.env['PATH'], CASEBOOK_URL: casebook.url, TOKEN: token, SECRET: secret },
    });
    expect(JSON.parse(stdout)).toEqual({ accepted: 1, merged: 0, rejected: [] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
