import { z } from 'zod';
import { checkDatabaseUrl } from './check-database-url.js';
import type { DatabaseConfig } from './database-config.js';
import { databaseConfig, databaseVariables } from './database-config.js';
import type { DocumentConfig } from './document-config.js';
import { checkDocuments, documentConfig, documentVariables } from './document-config.js';
import { isLoopback } from './is-loopback.js';
import type { OidcConfig } from './parse-oidc.js';
import { parseOidc } from './parse-oidc.js';
import { nearestName } from './nearest-name.js';
import { parseRetention } from './parse-retention.js';
import type { RetentionConfig } from './parse-retention.js';
import { silenceAfter } from './parse-silence-after.js';
import { trustedProxies } from './parse-trusted-proxies.js';
import { CLUSTER_NAME, watchedContexts } from './parse-watched-contexts.js';
import type { WatchedContext } from './parse-watched-contexts.js';
import type { StopConfig } from './stop-config.js';
import { stopConfig, stopVariables } from './stop-config.js';
import type { TracingConfig } from './tracing-config.js';
import { parseTracing } from './tracing-config.js';
import type { WebhookConfig } from './webhook-config.js';
import { webhookConfig, webhookVariables } from './webhook-config.js';

const MIB = 1024 * 1024;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Least severe level that is logged; `silent` logs nothing. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything that can be set from outside, checked and complete. */
export interface Config {
  /** `HOST`: address to listen on. Default 127.0.0.1. */
  host: string;
  /** `PORT`: TCP port to listen on; 0 takes a free one. Default 4000. */
  port: number;
  /** `CASEBOOK_TRUSTED_PROXIES`: networks, in CIDR form, whose word on where requests come from is taken. Default: none. */
  trustedProxies: readonly string[];
  /** `DATABASE_URL`: PostgreSQL to use. Unset: the embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string;
  /** How much of PostgreSQL is used. */
  database: DatabaseConfig;
  /** `LOG_LEVEL`. Default info. */
  logLevel: LogLevel;
  /** `CASEBOOK_DATA_DIR`: folder of the embedded database, relative to the working directory. Default `.data`. */
  dataDir: string;
  /** `CASEBOOK_KNOWLEDGE_DIR`: folder of problem files laid over the bundled ones. Default: none. */
  knowledgeDir?: string;
  /**
   * `CASEBOOK_AUTH`: whether callers need a token. Default `none` on a loopback address without an admin token, else
   * `required`. A token that is sent and wrong is refused in both modes.
   */
  auth: 'required' | 'none';
  /** `CASEBOOK_ADMIN_TOKEN`: the token that may do everything, at least 16 characters. Default: none. */
  adminToken?: string;
  /**
   * `CASEBOOK_SECRET_KEY`: seals the secrets that have to be read again (signing secrets, credentials of clusters), 32 bytes as base64
   * or 64 hex digits. Default: none, and then none can be stored.
   */
  secretKey?: string;
  /** `CASEBOOK_SECRET_KEY_OLD`: the key before it, which only opens what it once sealed, while keys are changed. Default: none. */
  secretKeyOld?: string;
  /** Which clusters are watched by way of the environment; others may be by a stored credential. */
  watch: WatchConfig;
  /** `CASEBOOK_RETENTION_DAYS`: days that raw data (events, sightings, signals) is kept, 1 to 3650. Default 90. */
  retentionDays: number;
  /** `CASEBOOK_RETENTION`: how long other things are kept. Default `quarters=400d,hours=never,affected=400d,incidents=never`. */
  retention: RetentionConfig;
  /**
   * `CASEBOOK_SILENCE_AFTER`: the pause after which a cluster counts as silent, in milliseconds; `auto` by what is usual for it; 0 (`off`)
   * for never. A cluster may have a setting of its own. Default auto.
   */
  silenceAfter: number | 'auto';
  /** `CASEBOOK_REJECTED_DAYS`: days that refused input is kept, 1 to 365. Default 7. */
  rejectedDays: number;
  /**
   * `CASEBOOK_CLUSTER_EVENTS_PER_SECOND`: events that one cluster may post per second in the long run, 1 to 1,000,000; a minute's worth
   * may come at once, and a cluster may have a number of its own. Default 2,000.
   */
  clusterEventsPerSecond: number;
  /** `CASEBOOK_CHANGE_DAYS`: days that changes of incidents are kept, for streams that resume and for webhooks, 1 to 90. Default 7. */
  changeDays: number;
  /** `CASEBOOK_AUDIT_DAYS`: days that the audit log is kept, 30 to 3650. Default 365. */
  auditDays: number;
  /** `CASEBOOK_MASK_PATTERNS`: file of patterns (RE2, one a line) that are masked in messages besides secrets. Default: none. */
  maskPatterns?: string;
  /** `CASEBOOK_MASK_EMAILS`: whether e-mail addresses in messages are masked, `on` or `off`. Default on. */
  maskEmails: boolean;
  /** `CASEBOOK_OIDC_*`: whose JSON Web Tokens are taken. Default: nobody's. */
  oidc?: OidcConfig;
  /** How webhooks are sent. */
  webhooks: WebhookConfig;
  /** How the service stops. */
  stop: StopConfig;
  /** Where traces go. Default: there are none. */
  tracing?: TracingConfig;
  /** Which documents are answered over GraphQL. */
  documents: DocumentConfig;
  /** `CASEBOOK_MAX_SUBSCRIPTIONS`: most live streams that this process serves, 1 to 100,000. Default 1,000. */
  maxSubscriptions: number;
  /** `CASEBOOK_MAX_UNDELIVERED`: changes that may wait for one live stream before it is cut, 10 to 100,000. Default 1,000. */
  maxUndelivered: number;
  /** `CASEBOOK_MAX_BODY_BYTES`: largest body of a request as sent, in bytes. Default 16 MiB. */
  maxBodyBytes: number;
  /** `CASEBOOK_MAX_INFLATED_BYTES`: largest body after decompression, in bytes. Default 64 MiB. */
  maxInflatedBytes: number;
}

/** Clusters whose events this service reads from their API servers itself, because its environment says so. */
export interface WatchConfig {
  /** `CASEBOOK_WATCH_KUBECONFIG`: kubeconfig files, separated by `:`, in the order in which a context is looked for. Default: none. */
  kubeconfigs: readonly string[];
  /** `CASEBOOK_WATCH_CONTEXTS`: `context=cluster` pairs, separated by commas; a context alone is a cluster of the same name. Default: none. */
  contexts: readonly WatchedContext[];
  /** `CASEBOOK_WATCH_IN_CLUSTER`: name of the cluster that Casebook itself runs in, watched by its service account. Default: none. */
  inCluster?: string;
  /** `CASEBOOK_WATCH_REGISTER`: registers those of these clusters that are not registered, as of this provider. Default: none are. */
  register?: (typeof PROVIDERS)[number];
}

const PROVIDERS = ['kubernetes', 'tke', 'tke-serverless', 'ack'] as const;

/** The environment is wrong: the message has one line for each wrong variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'CONFIG';

  constructor(readonly problems: readonly { variable: string; message: string }[]) {
    super(
      ['Casebook cannot start with this environment:', ...problems.map(({ variable, message }) => `  ${variable}: ${message}`)].join('\n'),
    );
  }
}

const SECRET_KEY = /^([0-9A-Fa-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/;
const SECRET_KEY_FORM = '32 bytes as base64 or as 64 hex digits, such as `openssl rand -base64 32` makes';

const variables = z.object({
  HOST: text('an address or host name without spaces', /^[^\s/]+$/).default('127.0.0.1'),
  PORT: integer(0, 65_535).default(4000),
  CASEBOOK_TRUSTED_PROXIES: trustedProxies().optional(),
  DATABASE_URL: z.string().superRefine(checkDatabaseUrl).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  CASEBOOK_DATA_DIR: z.string().default('.data'),
  CASEBOOK_KNOWLEDGE_DIR: z.string().optional(),
  CASEBOOK_AUTH: z.enum(['required', 'none'], { error: 'expected required or none' }).optional(),
  CASEBOOK_ADMIN_TOKEN: text('at least 16 printable ASCII characters without spaces', /^[\x21-\x7e]{16,}$/).optional(),
  CASEBOOK_SECRET_KEY: text(SECRET_KEY_FORM, SECRET_KEY).optional(),
  CASEBOOK_SECRET_KEY_OLD: text(SECRET_KEY_FORM, SECRET_KEY).optional(),
  CASEBOOK_WATCH_KUBECONFIG: z.string().optional(),
  CASEBOOK_WATCH_CONTEXTS: watchedContexts().optional(),
  CASEBOOK_WATCH_IN_CLUSTER: text('the name of a cluster: letters, digits, ".", "_" and "-", at most 100', CLUSTER_NAME).optional(),
  CASEBOOK_WATCH_REGISTER: z.enum(PROVIDERS, { error: `expected one of ${PROVIDERS.join(', ')}` }).optional(),
  CASEBOOK_RETENTION_DAYS: integer(1, 3650).default(90),
  CASEBOOK_RETENTION: z.string().default(''),
  CASEBOOK_CHANGE_DAYS: integer(1, 90).default(7),
  CASEBOOK_AUDIT_DAYS: integer(30, 3650).default(365),
  CASEBOOK_MASK_PATTERNS: z.string().optional(),
  CASEBOOK_MASK_EMAILS: z.enum(['on', 'off'], { error: 'expected on or off' }).default('on'),
  CASEBOOK_OIDC_ISSUER: z.string().optional(),
  CASEBOOK_OIDC_AUDIENCE: z.string().optional(),
  CASEBOOK_OIDC_JWKS_URL: z.string().optional(),
  CASEBOOK_OIDC_ROLE_CLAIM: z.string().optional(),
  CASEBOOK_OIDC_ROLE_MAPPING: z.string().optional(),
  CASEBOOK_OIDC_CLUSTERS_CLAIM: z.string().optional(),
  CASEBOOK_OIDC_NAMESPACES_CLAIM: z.string().optional(),
  ...webhookVariables(integer),
  ...stopVariables(integer),
  ...documentVariables,
  CASEBOOK_MAX_SUBSCRIPTIONS: integer(1, 100_000).default(1000),
  CASEBOOK_MAX_UNDELIVERED: integer(10, 100_000).default(1000),
  CASEBOOK_SILENCE_AFTER: silenceAfter().default('auto'),
  CASEBOOK_REJECTED_DAYS: integer(1, 365).default(7),
  CASEBOOK_CLUSTER_EVENTS_PER_SECOND: integer(1, 1_000_000).default(2000),
  CASEBOOK_MAX_BODY_BYTES: integer(1024, 1024 * MIB).default(16 * MIB),
  CASEBOOK_MAX_INFLATED_BYTES: integer(1024, 1024 * MIB).default(64 * MIB),
  ...databaseVariables(integer),
});

const KNOWN = Object.keys(variables.shape);
/** Variables of the command line, which a shell may well have when it starts the service. */
const OF_COMMANDS = ['CASEBOOK_URL', 'CASEBOOK_TOKEN'];
/** Variables that Kubernetes sets in every Pod for a Service called casebook or casebook-something. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/**
 * Reads the environment. An empty value counts as unset.
 *
 * @throws ConfigError naming every wrong variable, and every unknown one that starts with `CASEBOOK_`.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { tracing, problems } = parseTracing(set);
  problems.unshift(...unknownVariables(Object.keys(set)));
  const result = variables.safeParse(set);
  if (!result.success) {
    problems.push(...result.error.issues.map((issue) => ({ variable: String(issue.path[0]), message: issue.message })));
    throw new ConfigError(problems);
  }
  const value = result.data;
  const auth = value.CASEBOOK_AUTH ?? (isLoopback(value.HOST) && !value.CASEBOOK_ADMIN_TOKEN ? 'none' : 'required');
  if (auth === 'required' && !value.CASEBOOK_ADMIN_TOKEN) {
    const because = value.CASEBOOK_AUTH ? 'CASEBOOK_AUTH is required' : `HOST ${value.HOST} can be reached from other machines`;
    problems.push({
      variable: 'CASEBOOK_ADMIN_TOKEN',
      message: `${because}, so an admin token is needed; CASEBOOK_AUTH=none would serve everybody without one`,
    });
  }
  if (value.CASEBOOK_MAX_INFLATED_BYTES < value.CASEBOOK_MAX_BODY_BYTES) {
    problems.push({ variable: 'CASEBOOK_MAX_INFLATED_BYTES', message: 'expected at least CASEBOOK_MAX_BODY_BYTES' });
  }
  if (value.CASEBOOK_SECRET_KEY_OLD && !value.CASEBOOK_SECRET_KEY) {
    problems.push({ variable: 'CASEBOOK_SECRET_KEY_OLD', message: 'expected CASEBOOK_SECRET_KEY beside it, the key that takes its place' });
  }
  problems.push(...checkWatch(value, env), ...checkDocuments(value));
  const retention = parseRetention(value.CASEBOOK_RETENTION, value.CASEBOOK_RETENTION_DAYS);
  if (typeof retention === 'string') problems.push({ variable: 'CASEBOOK_RETENTION', message: retention });
  const { oidc, problems: ofOidc } = parseOidc(value);
  problems.push(...ofOidc);
  if (problems.length > 0 || typeof retention === 'string') throw new ConfigError(problems);
  return {
    host: value.HOST,
    port: value.PORT,
    trustedProxies: value.CASEBOOK_TRUSTED_PROXIES ?? [],
    ...(value.DATABASE_URL && { databaseUrl: value.DATABASE_URL }),
    database: databaseConfig(value),
    logLevel: value.LOG_LEVEL,
    dataDir: value.CASEBOOK_DATA_DIR,
    ...(value.CASEBOOK_KNOWLEDGE_DIR && { knowledgeDir: value.CASEBOOK_KNOWLEDGE_DIR }),
    auth,
    ...(value.CASEBOOK_ADMIN_TOKEN && { adminToken: value.CASEBOOK_ADMIN_TOKEN }),
    ...(value.CASEBOOK_SECRET_KEY && { secretKey: value.CASEBOOK_SECRET_KEY }),
    ...(value.CASEBOOK_SECRET_KEY_OLD && { secretKeyOld: value.CASEBOOK_SECRET_KEY_OLD }),
    watch: {
      kubeconfigs: value.CASEBOOK_WATCH_KUBECONFIG?.split(':').filter(Boolean) ?? [],
      contexts: value.CASEBOOK_WATCH_CONTEXTS ?? [],
      ...(value.CASEBOOK_WATCH_IN_CLUSTER && { inCluster: value.CASEBOOK_WATCH_IN_CLUSTER }),
      ...(value.CASEBOOK_WATCH_REGISTER && { register: value.CASEBOOK_WATCH_REGISTER }),
    },
    retentionDays: value.CASEBOOK_RETENTION_DAYS,
    retention,
    changeDays: value.CASEBOOK_CHANGE_DAYS,
    auditDays: value.CASEBOOK_AUDIT_DAYS,
    ...(value.CASEBOOK_MASK_PATTERNS && { maskPatterns: value.CASEBOOK_MASK_PATTERNS }),
    maskEmails: value.CASEBOOK_MASK_EMAILS === 'on',
    ...(oidc && { oidc }),
    webhooks: webhookConfig(value),
    stop: stopConfig(value),
    ...(tracing && { tracing }),
    documents: documentConfig(value),
    maxSubscriptions: value.CASEBOOK_MAX_SUBSCRIPTIONS,
    maxUndelivered: value.CASEBOOK_MAX_UNDELIVERED,
    silenceAfter: value.CASEBOOK_SILENCE_AFTER,
    rejectedDays: value.CASEBOOK_REJECTED_DAYS,
    clusterEventsPerSecond: value.CASEBOOK_CLUSTER_EVENTS_PER_SECOND,
    maxBodyBytes: value.CASEBOOK_MAX_BODY_BYTES,
    maxInflatedBytes: value.CASEBOOK_MAX_INFLATED_BYTES,
  };
}

function unknownVariables(names: string[]): { variable: string; message: string }[] {
  return names
    .filter((name) => name.startsWith('CASEBOOK_') && !KNOWN.includes(name) && !OF_COMMANDS.includes(name) && !SERVICE_LINK.test(name))
    .map((variable) => ({ variable, message: `not a setting of Casebook; did you mean ${nearestName(variable, KNOWN)}?` }));
}

function text(expected: string, pattern: RegExp) {
  return z.string().regex(pattern, { error: `expected ${expected}` });
}

function integer(least: number, most: number) {
  return z.string().transform((value, context) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : NaN;
    if (number >= least && number <= most) return number;
    context.addIssue({ code: 'custom', message: `expected a whole number from ${least} to ${most}, got ${JSON.stringify(value)}` });
    return z.NEVER;
  });
}

/** What is wrong with the variables of watching when they are looked at together. */
function checkWatch(value: z.infer<typeof variables>, env: Record<string, string | undefined>): { variable: string; message: string }[] {
  const { CASEBOOK_WATCH_KUBECONFIG: files, CASEBOOK_WATCH_CONTEXTS: contexts, CASEBOOK_WATCH_IN_CLUSTER: own } = value;
  const problems: { variable: string; message: string }[] = [];
  const refuse = (variable: string, message: string): void => void problems.push({ variable: `CASEBOOK_WATCH_${variable}`, message });
  if (files && !contexts) refuse('CONTEXTS', 'expected the contexts of CASEBOOK_WATCH_KUBECONFIG to watch, as context=cluster');
  if (contexts && !files) refuse('KUBECONFIG', 'expected the kubeconfig file that the contexts of CASEBOOK_WATCH_CONTEXTS stand in');
  if (own && contexts?.some(({ cluster }) => cluster === own))
    refuse('IN_CLUSTER', `cluster ${JSON.stringify(own)} is in CASEBOOK_WATCH_CONTEXTS too`);
  if (own && !env['KUBERNETES_SERVICE_HOST'])
    refuse('IN_CLUSTER', 'this process does not run in a cluster: KUBERNETES_SERVICE_HOST is not set');
  if (value.CASEBOOK_WATCH_REGISTER && !own && !contexts)
    refuse('REGISTER', 'expected CASEBOOK_WATCH_CONTEXTS or CASEBOOK_WATCH_IN_CLUSTER beside it');
  return problems;
}
