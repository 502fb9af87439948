import { z } from 'zod';
import { isLoopback } from './is-loopback.js';
import { nearestName } from './nearest-name.js';

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
  /** `DATABASE_URL`: PostgreSQL to use. Unset: the embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string;
  /** `CASEBOOK_DATABASE_POOL`: most connections to PostgreSQL at a time, 1 to 50. Default 10. */
  databasePool: number;
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
  /** `CASEBOOK_RETENTION_DAYS`: days that raw data (events, sightings, signals) is kept, 1 to 3650; incidents, episodes and roll-ups stay. Default 90. */
  retentionDays: number;
  /** `CASEBOOK_MAX_BODY_BYTES`: largest body of a request as sent, in bytes. Default 16 MiB. */
  maxBodyBytes: number;
  /** `CASEBOOK_MAX_INFLATED_BYTES`: largest body after decompression, in bytes. Default 64 MiB. */
  maxInflatedBytes: number;
}

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

const variables = z.object({
  HOST: text('an address or host name without spaces', /^[^\s/]+$/).default('127.0.0.1'),
  PORT: integer(0, 65_535).default(4000),
  DATABASE_URL: z.string().superRefine(checkDatabaseUrl).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `expected one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  CASEBOOK_DATA_DIR: z.string().default('.data'),
  CASEBOOK_KNOWLEDGE_DIR: z.string().optional(),
  CASEBOOK_AUTH: z.enum(['required', 'none'], { error: 'expected required or none' }).optional(),
  CASEBOOK_ADMIN_TOKEN: text('at least 16 printable ASCII characters without spaces', /^[\x21-\x7e]{16,}$/).optional(),
  CASEBOOK_RETENTION_DAYS: integer(1, 3650).default(90),
  CASEBOOK_MAX_BODY_BYTES: integer(1024, 1024 * MIB).default(16 * MIB),
  CASEBOOK_MAX_INFLATED_BYTES: integer(1024, 1024 * MIB).default(64 * MIB),
  CASEBOOK_DATABASE_POOL: integer(1, 50).default(10),
});

const KNOWN = Object.keys(variables.shape);
/** Variables that Kubernetes sets in every Pod for a Service called casebook or casebook-something. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/;

/**
 * Reads the environment. An empty value counts as unset.
 *
 * @throws ConfigError naming every wrong variable, and every unknown one that starts with `CASEBOOK_`.
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const problems = unknownVariables(Object.keys(set));
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
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    host: value.HOST,
    port: value.PORT,
    ...(value.DATABASE_URL && { databaseUrl: value.DATABASE_URL }),
    databasePool: value.CASEBOOK_DATABASE_POOL,
    logLevel: value.LOG_LEVEL,
    dataDir: value.CASEBOOK_DATA_DIR,
    ...(value.CASEBOOK_KNOWLEDGE_DIR && { knowledgeDir: value.CASEBOOK_KNOWLEDGE_DIR }),
    auth,
    ...(value.CASEBOOK_ADMIN_TOKEN && { adminToken: value.CASEBOOK_ADMIN_TOKEN }),
    retentionDays: value.CASEBOOK_RETENTION_DAYS,
    maxBodyBytes: value.CASEBOOK_MAX_BODY_BYTES,
    maxInflatedBytes: value.CASEBOOK_MAX_INFLATED_BYTES,
  };
}

function unknownVariables(names: string[]): { variable: string; message: string }[] {
  return names
    .filter((name) => name.startsWith('CASEBOOK_') && !KNOWN.includes(name) && !SERVICE_LINK.test(name))
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

/** Never quotes the value, which holds a password. */
function checkDatabaseUrl(value: string, context: z.RefinementCtx): void {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol)) {
    refuse('expected postgresql://user:password@host:5432/database, with special characters of the password percent-encoded');
    return;
  }
  if (new URL(value).pathname.length < 2) refuse('expected the name of a database after the host');
  if (new URL(value).searchParams.has('schema')) refuse('the parameter schema is not supported; use options=-csearch_path%3Dname');
}
