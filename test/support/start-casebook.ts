/* oxlint-disable typescript/no-explicit-any -- answers have whatever shape the test expects */
import { resolve } from 'node:path';
import type { Casebook } from '../../src/casebook.service.js';
import { startCasebook } from '../../src/casebook.service.js';
import { parseConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/platform/logger.service.js';
import type { TestDatabase } from './test-database.js';
import { createTestDatabase } from './test-database.js';

/** A service on a database of its own, and ways to talk to it. */
export interface TestCasebook extends Casebook {
  database: TestDatabase;
  /** Lines of the log so far. */
  logged: string[];
  /** Sends a request; a body that is an object goes as JSON. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Asks over GraphQL. */
  graphql<T = Record<string, any>>(query: string, variables?: object, headers?: Record<string, string>): Promise<GraphqlAnswer<T>>;
  /** Registers a cluster and returns its token. */
  register(name: string, provider?: string): Promise<string>;
  /** Posts events of a cluster and returns the answer. */
  post(cluster: string, events: unknown, token?: string): Promise<Answer>;
}

/** What goes with a request. */
export interface SendOptions {
  body?: unknown;
  headers?: Record<string, string>;
  token?: string | undefined;
}

/** An answer, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON. */
  body: any;
}

/** An answer to a GraphQL request. */
export interface GraphqlAnswer<T> {
  status: number;
  data: T;
  errors?: { message: string; path?: (string | number)[]; extensions: { code: string } }[];
}

/** A token for services that need one. */
export const ADMIN_TOKEN = 'admin-token-of-the-tests';

/** Starts a service on a free port, by default with a few problems of test/support/knowledge; `env` is its environment. */
export async function startTestCasebook(env: Record<string, string> = {}, knowledge = 'test/support/knowledge'): Promise<TestCasebook> {
  const database = await createTestDatabase();
  const logged: string[] = [];
  const config = parseConfig({ PORT: '0', DATABASE_URL: database.url, CASEBOOK_DATABASE_POOL: '5', LOG_LEVEL: 'warn', ...env });
  const logger = createLogger(config.logLevel, { write: (line: string) => void logged.push(line) });
  const folders = { knowledge: resolve(knowledge), migrations: resolve('prisma/migrations') };
  const casebook = await startCasebook({ config, logger, folders }).catch(async (error: unknown) => {
    await database.drop();
    throw error;
  });
  const adminToken = config.auth === 'required' ? config.adminToken : undefined;

  const send: TestCasebook['send'] = async (method, path, { body, headers = {}, token } = {}) => {
    const plain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(new URL(path, casebook.url), {
      method,
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
      ...(body !== undefined && { body: plain ? (body as string) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: text !== '' && answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
    };
  };
  return {
    ...casebook,
    database,
    logged,
    send,
    async graphql<T>(query: string, variables: object = {}, headers: Record<string, string> = {}) {
      const { status, body } = await send('POST', '/graphql', {
        body: { query, variables },
        headers: { 'content-type': 'application/json', ...headers },
        token: adminToken,
      });
      return { status, ...(body as { data: T; errors?: GraphqlAnswer<T>['errors'] }) } as GraphqlAnswer<T>;
    },
    async register(name, provider = 'tke') {
      const { status, body } = await send('POST', '/v1/clusters', { body: { name, provider }, token: adminToken });
      if (status !== 201) throw new Error(`registering ${name} was answered ${status}: ${JSON.stringify(body)}`);
      return (body as { token: string }).token;
    },
    post: (cluster, events, token = adminToken) => send('POST', `/v1/clusters/${cluster}/events`, { body: events, token }),
    async stop() {
      await casebook.stop();
      await database.drop();
    },
  };
}
