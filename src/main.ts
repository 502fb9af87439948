import 'reflect-metadata';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Casebook } from './casebook.service.js';
import { startCasebook } from './casebook.service.js';
import { loadConfig } from './config/config.loader.js';
import { createLogger } from './platform/logger.service.js';
import { welcome } from './welcome.js';

const USAGE = `casebook [--demo]
Serves Casebook. Everything else is set by environment variables; see README.md.
  --demo   also registers three clusters and replays bundled streams of events
`;

/** Errors that a person can mend: their message says how, and a stack would only hide it. */
const EXPECTED =
  /^(CONFIG|EMBEDDED_POSTGRES|KNOWLEDGE_INVALID|MASK_PATTERNS|TRUSTED_DOCUMENTS|DATABASE_NEWER|MIGRATION_\w+|ERR_PARSE_ARGS_\w+|EADDRINUSE|EACCES|EADDRNOTAVAIL|ECONNREFUSED|ENOTFOUND|ETIMEDOUT|28\w{3}|3D000|57P03)$/;

let starting: Promise<Casebook> | undefined;
let signals = 0;
let firstSignalAt = 0;
/** One Ctrl-C reaches the process twice under npm: from the terminal and from npm. Both come within this, milliseconds. */
const SAME_SIGNAL = 1_000;
/** What is left to do once all requests are answered (jobs, messages, spans, the embedded PostgreSQL) may take this long, milliseconds. */
const LEFT = 12_000;
let patience = LEFT;

process.on('SIGINT', () => onSignal());
process.on('SIGTERM', () => onSignal());

await main().catch(fail);

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { demo: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  patience += config.stop.delay + config.stop.timeout;
  const folder = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
  starting = startCasebook({ config, logger, folders: { knowledge: folder('knowledge'), migrations: folder('prisma/migrations') } });
  const casebook = await starting;
  if (signals > 0) return;
  logger.info({ url: casebook.url, auth: config.auth }, 'Casebook is listening');
  if (values.demo) await demo(casebook);
  process.stdout.write(welcome(casebook.url, config.auth, values.demo ?? false));
}

async function demo({ app }: Casebook): Promise<void> {
  const { runDemo } = (await import('./demo/run-demo.service.js' as string)) as { runDemo: (app: Casebook['app']) => Promise<void> };
  await runDemo(app);
}

/** The first signal stops in reverse order of the start, within a bound; a second one, when a person loses patience, does not wait. */
function onSignal(): void {
  if (signals > 0) {
    if (performance.now() - firstSignalAt > SAME_SIGNAL) process.exit(1);
    return;
  }
  signals++;
  firstSignalAt = performance.now();
  const stopping =
    starting === undefined
      ? Promise.resolve()
      : starting.then(
          ({ stop }) => stop(),
          () => undefined,
        );
  stopping.then(() => process.exit(0), fail);
  // What was answered is in the database by then; whatever hangs is no reason to wait for the end that Kubernetes makes.
  setTimeout(() => {
    process.stderr.write(`Casebook did not stop within ${patience} ms, and ends now.\n`);
    process.exit(1);
  }, patience).unref();
}

function fail(error: unknown): void {
  if (signals > 0 && starting === undefined) return;
  process.stderr.write(`${explain(error)}\n`);
  // What was started has been stopped; something may still hold the process.
  process.exit(1);
}

function explain(error: unknown): string {
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Casebook cannot start: ${addressOf(error)} is taken by another program. Stop it, or set PORT to another port.`;
  if (code !== undefined && EXPECTED.test(code)) return code === 'CONFIG' ? message : `Casebook cannot start: ${message || code}`;
  return `Casebook failed: ${stack ?? String(error)}`;
}

function addressOf(error: unknown): string {
  const { address, port } = error as { address?: string; port?: number };
  return `port ${port} of ${address}`;
}
