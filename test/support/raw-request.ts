import { connect } from 'node:net';

/** Writes bytes to a service as they are and reads its answer to the end, for requests that no client library would send. */
export function rawRequest(url: string, ...pieces: (string | Uint8Array)[]): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer within 10 s')));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', fail);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString();
      done({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text });
    });
    for (const piece of pieces) socket.write(piece);
  });
}
