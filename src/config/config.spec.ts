import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.js';

const TOKEN = 'sixteen-or-more!';
const KEY = 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=';
const OLD_KEY = '0123456789abcdef'.repeat(4);

function problemsOf(env: Record<string, string | undefined>): string[] {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ variable, message }) => `${variable}: ${message}`);
    throw error;
  }
  return [];
}

describe('parseConfig', () => {
  it('needs nothing', () => {
    expect(parseConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4000,
      trustedProxies: [],
      database: { pool: { reads: 4, others: 6 }, readTimeout: 10_000 },
      logLevel: 'info',
      dataDir: '.data',
      auth: 'none',
      watch: { kubeconfigs: [], contexts: [] },
      retentionDays: 90,
      retention: { events: 90, quarters: 400, hours: Infinity, affected: 400, incidents: Infinity },
      maskEmails: true,
      silenceAfter: 'auto',
      rejectedDays: 7,
      changeDays: 7,
      auditDays: 365,
      maxSubscriptions: 1000,
      maxUndelivered: 1000,
      clusterEventsPerSecond: 2000,
      maxBodyBytes: 16_777_216,
      maxInflatedBytes: 67_108_864,
      webhooks: { allow: { hosts: [], networks: [] }, attempts: 16, retry: 5000, timeout: 10_000, days: 7 },
      documents: { only: false },
      stop: { delay: 0, timeout: 10_000 },
    });
  });

  it('reads every variable', () => {
    expect(
      parseConfig({
        HOST: '0.0.0.0',
        PORT: '8080',
        CASEBOOK_TRUSTED_PROXIES: '10.1.0.0/16,10.2.0.7',
        DATABASE_URL: 'postgresql://casebook:p%40ss@db:5432/casebook',
        LOG_LEVEL: 'debug',
        CASEBOOK_DATA_DIR: '/var/lib/casebook',
        CASEBOOK_KNOWLEDGE_DIR: '/etc/casebook/knowledge',
        CASEBOOK_AUTH: 'required',
        CASEBOOK_ADMIN_TOKEN: TOKEN,
        CASEBOOK_WATCH_KUBECONFIG: '/etc/casebook/a:/etc/casebook/b',
        CASEBOOK_WATCH_CONTEXTS: 'admin@a=prod-a,prod-b',
        CASEBOOK_WATCH_IN_CLUSTER: 'home',
        CASEBOOK_WATCH_REGISTER: 'tke',
        KUBERNETES_SERVICE_HOST: '10.0.0.1',
        CASEBOOK_SECRET_KEY: KEY,
        CASEBOOK_SECRET_KEY_OLD: OLD_KEY,
        CASEBOOK_RETENTION_DAYS: '30',
        CASEBOOK_CHANGE_DAYS: '14',
        CASEBOOK_RETENTION: 'quarters=35d,incidents=800d',
        CASEBOOK_MASK_PATTERNS: '/etc/casebook/patterns.txt',
        CASEBOOK_MASK_EMAILS: 'off',
        CASEBOOK_AUDIT_DAYS: '400',
        CASEBOOK_TRUSTED_DOCUMENTS: '/etc/casebook/documents.json',
        CASEBOOK_TRUSTED_DOCUMENTS_ONLY: 'on',
        CASEBOOK_MAX_SUBSCRIPTIONS: '50',
        CASEBOOK_MAX_UNDELIVERED: '200',
        CASEBOOK_SILENCE_AFTER: '20m',
        CASEBOOK_REJECTED_DAYS: '3',
        CASEBOOK_CLUSTER_EVENTS_PER_SECOND: '50',
        CASEBOOK_MAX_BODY_BYTES: '1048576',
        CASEBOOK_MAX_INFLATED_BYTES: '2097152',
        CASEBOOK_DATABASE_POOL: '5',
        CASEBOOK_READ_TIMEOUT_MS: '2500',
        CASEBOOK_WEBHOOK_ALLOW: '10.0.0.0/8,*.corp.example',
        CASEBOOK_WEBHOOK_TIMEOUT_MS: '2000',
        CASEBOOK_WEBHOOK_ATTEMPTS: '3',
        CASEBOOK_WEBHOOK_RETRY_MS: '100',
        CASEBOOK_WEBHOOK_DAYS: '2',
        CASEBOOK_STOP_DELAY_MS: '5000',
        CASEBOOK_STOP_TIMEOUT_MS: '8000',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 8080,
      trustedProxies: ['10.1.0.0/16', '10.2.0.7/32'],
      databaseUrl: 'postgresql://casebook:p%40ss@db:5432/casebook',
      database: { pool: { reads: 2, others: 3 }, readTimeout: 2_500 },
      logLevel: 'debug',
      dataDir: '/var/lib/casebook',
      knowledgeDir: '/etc/casebook/knowledge',
      auth: 'required',
      adminToken: TOKEN,
      watch: {
        kubeconfigs: ['/etc/casebook/a', '/etc/casebook/b'],
        contexts: [
          { context: 'admin@a', cluster: 'prod-a' },
          { context: 'prod-b', cluster: 'prod-b' },
        ],
        inCluster: 'home',
        register: 'tke',
      },
      secretKey: KEY,
      secretKeyOld: OLD_KEY,
      retentionDays: 30,
      retention: { events: 30, quarters: 35, hours: Infinity, affected: 400, incidents: 800 },
      maskPatterns: '/etc/casebook/patterns.txt',
      maskEmails: false,
      changeDays: 14,
      auditDays: 400,
      maxSubscriptions: 50,
      maxUndelivered: 200,
      silenceAfter: 1_200_000,
      rejectedDays: 3,
      clusterEventsPerSecond: 50,
      maxBodyBytes: 1_048_576,
      maxInflatedBytes: 2_097_152,
      webhooks: { allow: { hosts: ['*.corp.example'], networks: ['10.0.0.0/8'] }, attempts: 3, retry: 100, timeout: 2000, days: 2 },
      documents: { trusted: '/etc/casebook/documents.json', only: true },
      stop: { delay: 5000, timeout: 8000 },
    });
  });

  it('takes an empty value for an unset one', () => {
    expect(parseConfig({ PORT: '', CASEBOOK_ADMIN_TOKEN: '', CASEBOOK_TYPO: '' })).toEqual(parseConfig({}));
  });

  it('names every wrong variable at once', () => {
    const problems = problemsOf({
      PORT: '70000',
      LOG_LEVEL: 'loud',
      CASEBOOK_RETENTION_DAYS: '0',
      CASEBOOK_AUTH: 'off',
      CASEBOOK_ADMIN_TOKEN: 'short',
    });
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'PORT',
      'LOG_LEVEL',
      'CASEBOOK_AUTH',
      'CASEBOOK_ADMIN_TOKEN',
      'CASEBOOK_RETENTION_DAYS',
    ]);
    expect(problems[0]).toBe('PORT: expected a whole number from 0 to 65535, got "70000"');
  });

  it.each(['12.5', '1e3', ' 80', '-1', '0x10', 'NaN'])('refuses the port %j', (PORT) => {
    expect(problemsOf({ PORT })).toHaveLength(1);
  });

  it('names the nearest setting for an unknown one', () => {
    expect(problemsOf({ CASEBOOK_RETENTION_DAY: '3' })).toEqual([
      'CASEBOOK_RETENTION_DAY: not a setting of Casebook; did you mean CASEBOOK_RETENTION_DAYS?',
    ]);
  });

  it('leaves alone what Kubernetes sets for a Service called casebook', () => {
    const links = [
      'SERVICE_HOST',
      'SERVICE_PORT',
      'SERVICE_PORT_HTTP',
      'PORT',
      'PORT_4000_TCP',
      'PORT_4000_TCP_ADDR',
      'POSTGRES_SERVICE_HOST',
    ];
    expect(problemsOf(Object.fromEntries(links.map((name) => [`CASEBOOK_${name}`, 'tcp://10.0.0.1:4000'])))).toEqual([]);
  });

  it.each(['127.0.0.1', '127.3.4.5', 'localhost', '::1'])('serves without tokens on %s', (HOST) => {
    expect(parseConfig({ HOST }).auth).toBe('none');
  });

  it.each(['0.0.0.0', '::', '10.0.0.4', '127.evil.example'])('refuses to serve without tokens on %s unless asked by name', (HOST) => {
    expect(problemsOf({ HOST })).toEqual([expect.stringMatching(/^CASEBOOK_ADMIN_TOKEN: HOST .* can be reached from other machines/)]);
    expect(parseConfig({ HOST, CASEBOOK_AUTH: 'none' }).auth).toBe('none');
    expect(parseConfig({ HOST, CASEBOOK_ADMIN_TOKEN: TOKEN }).auth).toBe('required');
  });

  it('requires tokens once an admin token is set, and an admin token once tokens are required', () => {
    expect(parseConfig({ CASEBOOK_ADMIN_TOKEN: TOKEN }).auth).toBe('required');
    expect(problemsOf({ CASEBOOK_AUTH: 'required' })).toEqual([expect.stringMatching(/^CASEBOOK_ADMIN_TOKEN: CASEBOOK_AUTH is required/)]);
  });

  it.each(['db:5432', 'mysql://u:hunter2@h/d', 'postgresql://u:hunter2@h', 'postgresql://u:hunter2@h/d?schema=x'])(
    'refuses the database address %s and never repeats a password',
    (DATABASE_URL) => {
      const problems = problemsOf({ DATABASE_URL });
      expect(problems).toEqual([expect.stringMatching(/^DATABASE_URL: /)]);
      expect(problems.join()).not.toContain('hunter2');
    },
  );

  it('never repeats a refused token', () => {
    expect(problemsOf({ CASEBOOK_ADMIN_TOKEN: 'hunter2' }).join()).not.toContain('hunter2');
  });

  it.each([
    ['3', { reads: 1, others: 2 }],
    ['4', { reads: 1, others: 3 }],
    ['50', { reads: 20, others: 30 }],
  ])('leaves two connections and more to all else than reading: of %s', (CASEBOOK_DATABASE_POOL, pool) => {
    expect(parseConfig({ CASEBOOK_DATABASE_POOL }).database.pool).toEqual(pool);
    expect(() => parseConfig({ CASEBOOK_DATABASE_POOL: '2' })).toThrow('CASEBOOK_DATABASE_POOL');
  });

  it('refuses an inflated limit below the limit of the body', () => {
    expect(problemsOf({ CASEBOOK_MAX_INFLATED_BYTES: '1048576' })).toEqual([
      'CASEBOOK_MAX_INFLATED_BYTES: expected at least CASEBOOK_MAX_BODY_BYTES',
    ]);
  });

  it.each([
    [
      { CASEBOOK_WATCH_KUBECONFIG: '/a' },
      'CASEBOOK_WATCH_CONTEXTS: expected the contexts of CASEBOOK_WATCH_KUBECONFIG to watch, as context=cluster',
    ],
    [
      { CASEBOOK_WATCH_CONTEXTS: 'a' },
      'CASEBOOK_WATCH_KUBECONFIG: expected the kubeconfig file that the contexts of CASEBOOK_WATCH_CONTEXTS stand in',
    ],
    [
      { CASEBOOK_WATCH_CONTEXTS: 'a@b', CASEBOOK_WATCH_KUBECONFIG: '/a' },
      'CASEBOOK_WATCH_CONTEXTS: "a@b" is no name of a cluster (letters, digits, ".", "_" and "-"); write "a@b=<cluster>"',
    ],
    [
      { CASEBOOK_WATCH_IN_CLUSTER: 'home' },
      'CASEBOOK_WATCH_IN_CLUSTER: this process does not run in a cluster: KUBERNETES_SERVICE_HOST is not set',
    ],
    [
      { CASEBOOK_WATCH_REGISTER: 'tke' },
      'CASEBOOK_WATCH_REGISTER: expected CASEBOOK_WATCH_CONTEXTS or CASEBOOK_WATCH_IN_CLUSTER beside it',
    ],
  ])('refuses to watch by halves: %o', (env, expected) => expect(problemsOf(env)).toEqual([expected]));

  it('refuses to answer trusted documents only when there are none', () => {
    expect(problemsOf({ CASEBOOK_TRUSTED_DOCUMENTS_ONLY: 'on' })).toEqual([
      'CASEBOOK_TRUSTED_DOCUMENTS_ONLY: expected CASEBOOK_TRUSTED_DOCUMENTS beside it: nothing could be asked',
    ]);
  });

  it('takes the variables of the command line for nothing wrong', () => {
    expect(problemsOf({ CASEBOOK_URL: 'https://casebook.example', CASEBOOK_TOKEN: TOKEN })).toEqual([]);
  });

  it('wants secret keys of 32 bytes, the old one beside a new one, and never quotes them', () => {
    const expected = 'expected 32 bytes as base64 or as 64 hex digits, such as `openssl rand -base64 32` makes';
    expect(problemsOf({ CASEBOOK_SECRET_KEY: 'my-secret-key' })).toEqual([`CASEBOOK_SECRET_KEY: ${expected}`]);
    expect(problemsOf({ CASEBOOK_SECRET_KEY_OLD: KEY })).toEqual([
      'CASEBOOK_SECRET_KEY_OLD: expected CASEBOOK_SECRET_KEY beside it, the key that takes its place',
    ]);
  });
});
