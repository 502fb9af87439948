/** How the embedded server is to run. */
export interface ServerShape {
  dataDirectory: string;
  port: number;
  /** False only for throw-away data: a power cut may then lose or damage it. */
  durable: boolean;
  /** Memory that this machine, or what the service runs in, has, bytes. */
  memory: number;
}

const MEGABYTE = 2 ** 20;

/** An eighth of the memory; the rest is for the service, and for the system's own cache of the same files. */
function sharedBuffers(memory: number): string {
  return `${Math.min(512, Math.max(64, Math.floor(memory / 8 / MEGABYTE)))}MB`;
}

/**
 * Arguments of the `postgres` program: loopback TCP only, sized for a small machine, and durable. Memory is taken when it is used. `io_method=sync` and no
 * parallel workers spare five processes that a database of this size never keeps busy.
 */
export function postgresArguments({ dataDirectory, port, durable, memory }: ServerShape): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: durable ? 60 : 200,
    shared_buffers: durable ? sharedBuffers(memory) : '64MB',
    huge_pages: 'off',
    jit: 'off',
    io_method: 'sync',
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    max_wal_senders: 0,
    wal_level: 'minimal',
    max_wal_size: '256MB',
    fsync: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    autovacuum: durable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    logging_collector: 'off',
    log_destination: 'stderr',
  };
  return ['-D', dataDirectory, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Arguments of `initdb` for a new cluster owned by the superuser `user`, whose password is in `passwordFile`. */
export function initdbArguments(dataDirectory: string, user: string, passwordFile: string, durable: boolean): string[] {
  return [
    `--pgdata=${dataDirectory}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}
