import { createPrivateKey, X509Certificate } from 'node:crypto';
import { RequestError } from '../platform/refusal.js';
import type { WatchCredential } from '../store/watch-credential.js';

/** Opens the certificates and the key of a credential. Throws RequestError BAD_INPUT when one is broken or they do not belong together. */
export function checkPem({ certificateAuthority, login }: WatchCredential): void {
  if (certificateAuthority !== null) open('the certificate authority', () => new X509Certificate(certificateAuthority));
  if ('token' in login) return;
  const certificate = open('the client certificate', () => new X509Certificate(login.certificate));
  const key = open('the client key', () => createPrivateKey(login.key));
  if (!certificate.checkPrivateKey(key))
    throw new RequestError('BAD_INPUT', 'The client certificate and the client key do not belong together.');
}

function open<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw Object.assign(new RequestError('BAD_INPUT', `${what[0]!.toUpperCase()}${what.slice(1)} is a PEM text that cannot be read.`), {
      cause: error,
    });
  }
}
