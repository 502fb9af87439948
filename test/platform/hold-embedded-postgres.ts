import { EmbeddedPostgres } from '../../src/platform/embedded-postgres.service.js';

/** A service that only keeps its database: prints the server's process id and lives until it is killed. */
const server = await EmbeddedPostgres.start({ dataDir: process.argv[2] ?? '' });
process.stdout.write(`${server.pid}\n`);
setInterval(() => undefined, 60_000);
