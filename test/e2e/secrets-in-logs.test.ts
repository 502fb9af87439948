/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreEvent } from '../support/core-event.js';
import type { CuttableLine } from '../support/cuttable-line.js';
import { cuttableLine } from '../support/cuttable-line.js';
import { makeKey, OidcIssuer } from '../support/oidc-issuer.js';
import { rawRequest } from '../support/raw-request.js';
import { ServiceProcess } from '../support/service-process.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';
import { TraceReceiver } from '../support/trace-receiver.js';
import { waitUntil } from '../support/wait-until.js';

const EVENTS = '/v1/clusters/prod/events';
/** Where nobody listens. */
const NOWHERE = 'https://127.0.0.1:1';

/** Every secret that is put somewhere, by where it stands. */
const secrets = new Map<string, string>();
let number = 0;

/** A new secret that no pattern knows: neither its form nor a name beside it gives it away. */
function secret(place: string, form: (core: string) => string = (core) => core): string {
  const made = form(`hushed-${++number}-${randomBytes(6).toString('hex')}`);
  secrets.set(place, made);
  return made;
}

/** Notes a secret that somebody else made. */
function noted(place: string, made: string): string {
  secrets.set(place, made);
  return made;
}

let database: TestDatabase;
let line: CuttableLine;
let issuer: OidcIssuer;
let collector: TraceReceiver;
let folder: string;
let service: ServiceProcess;
let adminToken: string;

beforeAll(async () => {
  [database, issuer, collector, folder] = await Promise.all([
    createTestDatabase(),
    new OidcIssuer().start(),
    TraceReceiver.start(),
    mkdtemp(join(tmpdir(), 'casebook-secrets-')),
  ]);
  noted('password of DATABASE_URL', new URL(database.url).password);
  line = await cuttableLine(database.url);
  adminToken = secret('CASEBOOK_ADMIN_TOKEN');
  await writeFile(join(folder, 'config'), kubeconfig(secret('token in CASEBOOK_WATCH_KUBECONFIG')));
  collector.manner = 'refuse';
  service = await ServiceProcess.start({
    DATABASE_URL: line.url,
    LOG_LEVEL: 'trace',
    CASEBOOK_AUTH: 'required',
    CASEBOOK_ADMIN_TOKEN: adminToken,
    CASEBOOK_SECRET_KEY: noted('CASEBOOK_SECRET_KEY', randomBytes(32).toString('base64')),
    CASEBOOK_SECRET_KEY_OLD: noted('CASEBOOK_SECRET_KEY_OLD', randomBytes(32).toString('hex')),
    CASEBOOK_WATCH_KUBECONFIG: join(folder, 'config'),
    CASEBOOK_WATCH_CONTEXTS: 'away=watched',
    CASEBOOK_WATCH_REGISTER: 'kubernetes',
    CASEBOOK_OIDC_ISSUER: issuer.url,
    CASEBOOK_OIDC_AUDIENCE: 'casebook',
    CASEBOOK_OIDC_ROLE_MAPPING: '*=viewer',
    CASEBOOK_WEBHOOK_ALLOW: '127.0.0.1',
    CASEBOOK_WEBHOOK_RETRY_MS: '20',
    CASEBOOK_WEBHOOK_ATTEMPTS: '2',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint.replace('//', `//user:${secret('password of the collector')}@`)}/${secret('path of the collector')}`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${secret('OTEL_EXPORTER_OTLP_HEADERS')}`,
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
});
afterAll(async () => {
  await service?.kill();
  await line?.cut().catch(() => undefined);
  await database?.drop();
  await Promise.all([issuer?.stop(), collector?.stop(), rm(folder, { recursive: true, force: true })]);
});

function kubeconfig(token: string): string {
  const clusters = [{ name: 'c', cluster: { server: NOWHERE } }];
  const users = [{ name: 'u', user: { token, password: secret(`password beside ${token}`), username: 'u' } }];
  const contexts = [{ name: 'away', context: { cluster: 'c', user: 'u' } }];
  return JSON.stringify({ apiVersion: 'v1', kind: 'Config', 'current-context': 'away', clusters, users, contexts });
}

async function send(method: string, path: string, authorization: string | undefined, body?: unknown, headers = {}): Promise<Response> {
  return fetch(new URL(path, service.url), {
    method,
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

async function ask(query: string, variables: object = {}, authorization = `Bearer ${adminToken}`): Promise<any> {
  return (await send('POST', '/graphql', authorization, { query, variables })).json();
}

/** The lines of the log that are JSON. */
function lines(): Record<string, any>[] {
  return service.printed.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text)] : []));
}

const logged = (wished: (line: Record<string, any>) => boolean): Promise<unknown> => waitUntil(() => lines().some(wished), Boolean);

describe('the log of a service to which everything secret has been told, at its most verbose', () => {
  it('knows requests by their id, their route and their caller, whatever becomes of them', async () => {
    const { token } = (await (await send('POST', '/v1/clusters', `Bearer ${adminToken}`, { name: 'prod', provider: 'TKE' })).json()) as any;
    noted('token of a cluster', token.slice(3));
    const { data } = await ask('mutation { rotateSigningSecret(name: "prod") { secret } }');
    const signing: string = data.rotateSigningSecret.secret;
    noted('signing secret', signing.slice(3));

    const good = JSON.stringify(coreEvent({ message: secret('message of an event') }));
    const at = Math.floor(Date.now() / 1000);
    const signature = noted('signature', createHmac('sha256', signing).update(`${at}.${good}`).digest('hex'));
    const query = `?token=${secret('query string')}&x=${secret('another query string')}`;
    const basic = Buffer.from(`prod:${token}`).toString('base64');
    noted('basic authorization', basic);
    const statuses = [
      await send('POST', EVENTS + query, `Bearer ${token}`, good, {
        'x-casebook-signature': `t=${at},v1=${signature}`,
        'x-request-id': 'signed-1',
      }),
      await send('POST', EVENTS, `Basic ${basic}`, good, { 'x-request-id': 'basic-1' }),
      await send('POST', EVENTS, `Bearer ${token}`, `{"text": ${secret('refused body')}`, { 'x-request-id': 'refused-1' }),
      await send('POST', EVENTS, `Bearer ${token}`, good, { 'x-casebook-signature': `t=${at},v1=${secret('wrong signature')}` }),
      await send('POST', EVENTS, `Bearer ${secret('wrong token')}`, good, { 'x-request-id': 'wrong-1' }),
      await send('POST', EVENTS, `Basic ${noted('wrong basic', Buffer.from(`u:${secret('wrong password')}`).toString('base64'))}`, good),
      await send('POST', EVENTS, secret('Authorization of no kind'), good),
      await send('GET', `/nowhere/${secret('path of no route')}${query}`, `Bearer ${adminToken}`),
      await send('GET', '/v1/clusters', undefined, undefined, { cookie: `session=${secret('cookie')}` }),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 400, 401, 401, 401, 401, 404, 401]);
    const odd = await rawRequest(
      service.url,
      `GET /%zz?token=${secret('address that cannot be read')} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(odd.status).toBe(400);
    expect(odd.text).toMatch(/\r\nx-request-id: /i);

    await logged(({ msg, status, route }) => msg === 'request' && status === 400 && route === undefined);
    const of = (id: string): unknown => lines().find(({ msg, requestId }) => msg === 'request' && requestId === id);
    const shared = { method: 'POST', route: '/v1/clusters/:cluster/events', ms: expect.any(Number), traceId: expect.any(String) };
    expect(of('signed-1')).toMatchObject({ ...shared, level: 30, status: 200, caller: 'cluster', cluster: 'prod', accepted: 1, merged: 0 });
    expect(of('basic-1')).toMatchObject({ ...shared, status: 200, caller: 'cluster', merged: 1 });
    expect(of('refused-1')).toMatchObject({ ...shared, status: 400, cluster: 'prod' });
    expect(of('wrong-1')).toMatchObject({ ...shared, status: 401, caller: 'anonymous' });
  });

  it('has been told of tokens and credentials over GraphQL', async () => {
    const input = { name: 'portal', role: 'VIEWER' };
    const { data } = await ask('mutation($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }', { input });
    const api = noted('API token', data.createApiToken.token.slice(3));
    expect((await ask('{ apiTokens { name } }', {}, `Bearer cb_${api}`)).errors).toHaveLength(1);

    const key = await makeKey('RS256', 'one');
    issuer.keys = [key];
    const jwt = await issuer.sign(key);
    noted('JSON Web Token', jwt.split('.')[2]!);
    expect((await ask('query Signed { clusters { name } }', {}, `Bearer ${jwt}`)).data.clusters).toHaveLength(2);
    issuer.down = true;
    const unknown = await makeKey('RS256', 'two');
    const other = await issuer.sign(unknown);
    noted('JSON Web Token of an unknown key', other.split('.')[2]!);
    expect((await ask('{ clusters { name } }', {}, `Bearer ${other}`)).errors ?? []).not.toEqual([]);

    const watch = 'mutation($input: WatchClusterInput!) { watchCluster(input: $input) { name } }';
    const byKubeconfig = { cluster: 'prod', kubeconfig: kubeconfig(secret('token in a kubeconfig')) };
    const byToken = { cluster: 'prod', server: NOWHERE, token: secret('token of an API server'), allowInsecure: true };
    await ask(watch, { input: byKubeconfig });
    expect((await ask(watch, { input: byToken })).data.watchCluster.name).toBe('prod');
    // A document that cannot be read, and one with a literal in it.
    await ask(`{ incident(id: "${secret('literal of a query')}") { `);
    await ask(`{ incident(id: "${secret('literal of a good query')}") { id } }`);
    await logged(({ msg, operation }) => msg === 'request' && operation === 'query Signed');
  });

  it('has been told where to send messages, which cannot be sent', async () => {
    const create = 'mutation($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const input = {
      name: 'chat',
      preset: 'GENERIC',
      url: `http://127.0.0.1:1/services/T0/${secret('path of a webhook')}?key=${secret('query of a webhook')}`,
      secret: secret('secret of a webhook'),
      headers: [{ name: 'x-api-key', value: secret('header of a webhook') }],
    };
    const { data } = await ask(create, { input });
    expect(data.createWebhook.id).toEqual(expect.any(String));
    await ask(create, { input: { ...input, name: 'refused', url: `ftp://u:${secret('password of a refused webhook')}@h/x` } });
    const crash = coreEvent({ reason: 'BackOff', message: 'Back-off restarting failed container', uid: 'told', name: 'told' });
    expect((await send('POST', EVENTS, `Bearer ${adminToken}`, crash)).status).toBe(200);
    await logged(({ msg }) => msg === 'a message was given up');
  });

  it('tells what the database refused, under the id of the request, without the rows', async () => {
    await database.pool.query(`ALTER TABLE event ADD CONSTRAINT unwanted CHECK (message NOT LIKE '%unwanted%')`);
    const bad = coreEvent({ uid: 'unwanted', message: `unwanted ${secret('row that the database refuses')}` });
    const answer = await send('POST', EVENTS, `Bearer ${adminToken}`, bad, { 'x-request-id': 'internal-1' });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { code: 'INTERNAL', requestId: 'internal-1' } });
    await logged(({ level, requestId }) => level === 50 && requestId === 'internal-1');
    const told = lines().find(({ level, requestId }) => level === 50 && requestId === 'internal-1')!;
    expect(told).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/), err: { code: '23514', constraint: 'unwanted' } });
    await line.cut();
    expect((await send('POST', EVENTS, `Bearer ${adminToken}`, coreEvent({ uid: 'late' }))).status).toBe(503);
    await logged(({ level }) => level === 40);
    await line.mend();
  });

  it('tells that spans cannot be sent, and stops with nothing to hide', async () => {
    await logged(({ msg }) => msg === 'spans could not be sent to the collector; the service goes on');
    expect(await service.stop()).toBe(0);
    expect(lines().length).toBeGreaterThan(30);
  });

  it('ends when it cannot start, and says why without quoting what is secret', async () => {
    const wrong = {
      DATABASE_URL: `postgresql://u:${secret('password of a wrong DATABASE_URL')}`,
      CASEBOOK_ADMIN_TOKEN: secret('admin token with a blank', (core) => `${core} x`),
      CASEBOOK_SECRET_KEY: secret('secret key that is none'),
      OTEL_EXPORTER_OTLP_ENDPOINT: secret('address of no collector'),
      OTEL_EXPORTER_OTLP_HEADERS: secret('headers that are none'),
    };
    const url = new URL(database.url);
    url.password = secret('password that the database refuses');
    const nowhere = `postgresql://u:${secret('password to nowhere')}@127.0.0.1:1/x`;
    const starts: Record<string, string>[] = [wrong, { DATABASE_URL: url.href }, { DATABASE_URL: nowhere }];
    const said = await Promise.all(starts.map((env) => ServiceProcess.start(env).then(() => 'it started', String)));
    expect(said[0]).toMatch(/OTEL_EXPORTER_OTLP_HEADERS: [^]*DATABASE_URL: [^]*CASEBOOK_ADMIN_TOKEN: [^]*CASEBOOK_SECRET_KEY: /);
    expect(said[1]).toContain('password authentication failed');
    expect(said[2]).toContain('ECONNREFUSED');
    const printed = service.printed + said.join('\n');
    const leaked = [...secrets].filter(
      ([, value]) =>
        printed.includes(value) || printed.includes(encodeURIComponent(value)) || printed.includes(Buffer.from(value).toString('base64')),
    );
    expect(leaked.map(([place]) => place)).toEqual([]);
    expect(secrets.size).toBeGreaterThan(35);
  }, 60_000);
});
