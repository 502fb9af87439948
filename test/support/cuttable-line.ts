import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A line to a database that can be cut and mended. */
export interface CuttableLine {
  /** Connection string that leads over the line. */
  url: string;
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>;
  /** Lets connections through again. */
  mend(): Promise<void>;
}

/** Puts a line in front of a database; it starts whole. Cut it at the end of the test. */
export async function cuttableLine(databaseUrl: string): Promise<CuttableLine> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const listen = async (port: number): Promise<void> => void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    mend: () => listen(port),
  };
}
