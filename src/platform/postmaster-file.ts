/** What a running PostgreSQL writes into `postmaster.pid` in its data directory. */
export interface PostmasterFile {
  pid: number;
  /** Data directory as that server was started with it. */
  dataDirectory: string;
  /** TCP port; undefined while the server has not opened it yet. */
  port: number | undefined;
  /** True once the server accepts connections. */
  ready: boolean;
}

/** Reads the text of a `postmaster.pid`; undefined for a file that is empty or half written. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const [pid, dataDirectory, , port, , , , status] = text.split('\n').map((line) => line.trim());
  if (!pid || !/^-?\d+$/.test(pid) || !dataDirectory) return undefined;
  return {
    pid: Math.abs(Number(pid)),
    dataDirectory,
    port: port && /^\d+$/.test(port) ? Number(port) : undefined,
    ready: status === 'ready',
  };
}
