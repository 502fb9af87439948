import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A key and its certificate, in PEM. */
export interface Certificate {
  key: string;
  certificate: string;
}

/** An authority of a test's own that signs certificates for 127.0.0.1 and localhost, and for clients. */
export interface TestAuthority {
  /** In PEM, as a kubeconfig carries it. */
  certificate: string;
  /** For a server on this machine; `until` in milliseconds since the epoch, a day from now unless given. */
  forServer(until?: number): Certificate;
  /** For a client, whose user name it carries. */
  forClient(user: string): Certificate;
}

const DAY = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid(1, 2, 840, 10045, 4, 3, 2));

/** Makes an authority. X.509 is written here by hand, because Node reads certificates and does not make them. */
export function makeAuthority(): TestAuthority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = nameOf(`casebook-test-ca-${randomBytes(4).toString('hex')}`);
  const issue = (subject: Buffer, subjectKey: KeyObject, extensions: Buffer[], until = Date.now() + DAY): string => {
    const body = sequence(
      tagged(0xa0, integer(Buffer.from([2]))),
      integer(Buffer.concat([Buffer.from([1]), randomBytes(12)])),
      ECDSA_WITH_SHA256,
      name,
      sequence(time(Math.min(Date.now(), until) - DAY), time(until)),
      subject,
      subjectKey.export({ type: 'spki', format: 'der' }),
      tagged(0xa3, sequence(keyIdentifier(subjectKey), ...extensions)),
    );
    return pem('CERTIFICATE', sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, privateKey))));
  };
  const pair = (subject: Buffer, extensions: Buffer[], until?: number): Certificate => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      certificate: issue(subject, keys.publicKey, extensions, until),
    };
  };
  const names = [tagged(0x82, Buffer.from('localhost')), tagged(0x87, Buffer.from([127, 0, 0, 1]))];
  return {
    certificate: issue(name, publicKey, [extension([2, 5, 29, 19], sequence(Buffer.from([0x01, 0x01, 0xff])), true)]),
    forServer: (until) => pair(nameOf('kube-apiserver'), [extension([2, 5, 29, 17], sequence(...names))], until),
    forClient: (user) => pair(nameOf(user), []),
  };
}

function keyIdentifier(key: KeyObject): Buffer {
  const hash = createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
  return extension([2, 5, 29, 14], tagged(0x04, hash));
}

function extension(id: Parameters<typeof oid>, value: Buffer, critical = false): Buffer {
  return sequence(oid(...id), ...(critical ? [Buffer.from([0x01, 0x01, 0xff])] : []), tagged(0x04, value));
}

function nameOf(common: string): Buffer {
  return sequence(tagged(0x31, sequence(oid(2, 5, 4, 3), tagged(0x0c, Buffer.from(common)))));
}

function time(at: number): Buffer {
  return tagged(0x17, Buffer.from(`${new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function bits(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function oid(first: number, second: number, ...rest: number[]): Buffer {
  const base128 = (value: number): number[] => {
    const bytes = [value & 0x7f];
    for (let left = value >> 7; left > 0; left >>= 7) bytes.unshift((left & 0x7f) | 0x80);
    return bytes;
  };
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** One DER element: its tag, the length of its content, the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length > 0xff ? [length >> 8, length & 0xff] : [length];
  return Buffer.concat([Buffer.from([tag, 0x80 | bytes.length, ...bytes]), content]);
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!;
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
