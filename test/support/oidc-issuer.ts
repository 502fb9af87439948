import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK } from 'jose';

/** A key that an issuer signs with. */
export interface IssuerKey {
  kid: string;
  alg: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  jwk: JWK;
}

/** Makes a key of an algorithm. */
export async function makeKey(alg: string, kid: string): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** The public half of a key as text, which whoever confuses algorithms would take for a secret. */
export const publicText = (key: IssuerKey): Promise<string> => exportSPKI(key.publicKey);

/** What a token says besides who issued it, to whom, and until when. */
export interface SignOptions {
  claims?: Record<string, unknown>;
  issuer?: string;
  audience?: string | string[];
  /** Seconds since the epoch; null for none. */
  expires?: number | null;
  notBefore?: number;
  /** Name of the key in the head, in place of the key's own. */
  kid?: string;
}

/** An OpenID Connect issuer on this machine. */
export class OidcIssuer {
  readonly #server = createServer((request, response) => {
    this.asked.push(request.url ?? '');
    const body = this.answers.get(request.url ?? '');
    if (this.down || body === undefined) response.writeHead(this.down ? 502 : 404).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body()));
  });
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** Keys that it tells. */
  keys: IssuerKey[] = [];
  /** True to fail every request. */
  down = false;
  url = '';
  readonly answers = new Map<string, () => unknown>([
    ['/realm/.well-known/openid-configuration', () => ({ issuer: this.url, jwks_uri: `${this.url}/keys` })],
    ['/realm/keys', () => ({ keys: this.keys.map(({ jwk }) => jwk) })],
  ]);

  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/realm`;
    return this;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** A token with the name `mia`, for Casebook, good for five minutes, unless said otherwise. */
  sign(
    key: IssuerKey,
    { claims = {}, issuer, audience = 'casebook', expires, notBefore, kid = key.kid }: SignOptions = {},
  ): Promise<string> {
    const token = new SignJWT({ preferred_username: 'mia', ...claims })
      .setProtectedHeader({ alg: key.alg, kid })
      .setIssuer(issuer ?? this.url)
      .setAudience(audience)
      .setSubject('user-1')
      .setIssuedAt();
    if (expires !== null) token.setExpirationTime(expires ?? Math.floor(Date.now() / 1000) + 300);
    if (notBefore !== undefined) token.setNotBefore(notBefore);
    return token.sign(key.privateKey);
  }
}
