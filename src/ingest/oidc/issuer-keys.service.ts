import { createLocalJWKSet, errors } from 'jose';
import type { CryptoKey, JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { OidcConfig } from '../../config/parse-oidc.js';
import { isAddress } from '../../config/parse-oidc.js';
import type { Clock } from '../../platform/clock.js';

/** Age at which known keys are fetched anew in the background, milliseconds. */
const FRESH = 10 * 60_000;
/** A key that is not known makes them be fetched anew at most this often, milliseconds: anybody can name keys that do not exist. */
const COOLDOWN = 30_000;
/** After an issuer did not answer it is left alone for this long, milliseconds. */
const REST = 10_000;
const TIMEOUT = 5_000;
const MOST_BYTES = 1024 * 1024;

/** The keys that are needed cannot be had now; the issuer does not answer, or not as it should. */
export class IssuerUnavailableError extends Error {
  readonly code = 'ISSUER_UNAVAILABLE';
  readonly retryAfterSeconds = REST / 1000;
}

/**
 * The public keys of an issuer. Fetched when they are first needed, anew when a token names one that is not known, and now and then;
 * while the issuer does not answer, those that are known go on being good.
 */
export class IssuerKeys {
  #known: { find: ReturnType<typeof createLocalJWKSet>; at: number } | undefined;
  #failedAt = -Infinity;
  #fetching: Promise<void> | undefined;

  constructor(
    private readonly config: Pick<OidcConfig, 'issuer' | 'jwksUrl'>,
    private readonly clock: Clock,
    private readonly tellFailure: (error: unknown) => void,
  ) {}

  /** Finds the key of a token. Throws JWKSNoMatchingKey when the issuer has no such key, IssuerUnavailableError when that cannot be told. */
  readonly find: JWTVerifyGetKey<CryptoKey> = async (header, token) => {
    if (!this.#known) await this.#fetch();
    else if (this.clock.now() - this.#known.at >= FRESH) void this.#fetch().catch(() => undefined);
    const { find, at } = this.#known!;
    try {
      return await find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || this.clock.now() - at < COOLDOWN) throw error;
    }
    await this.#fetch();
    return this.#known!.find(header, token);
  };

  /** Fetches the keys; whoever asks meanwhile shares it. Failures are told here. */
  #fetch(): Promise<void> {
    if (this.clock.now() - this.#failedAt < REST) return Promise.reject(new IssuerUnavailableError(this.#said()));
    this.#fetching ??= this.#read()
      .catch((error: unknown) => {
        this.#failedAt = this.clock.now();
        this.tellFailure(error);
        throw new IssuerUnavailableError(this.#said(), { cause: error });
      })
      .finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #read(): Promise<void> {
    const address = this.config.jwksUrl ?? (await this.#discover());
    const keys = (await readJson(address)) as JSONWebKeySet;
    this.#known = { find: createLocalJWKSet(keys), at: this.clock.now() };
  }

  /** Asks the issuer where its keys are, as OpenID Connect Discovery says. */
  async #discover(): Promise<string> {
    const { issuer } = this.config;
    const told = (await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)) as Record<string, unknown> | null;
    if (told?.['issuer'] !== issuer) {
      throw new Error(`${issuer} names itself ${JSON.stringify(told?.['issuer'])}; CASEBOOK_OIDC_ISSUER has to be the same to the letter`);
    }
    const address = told['jwks_uri'];
    if (typeof address !== 'string' || !isAddress(address)) throw new Error(`${issuer} tells no good jwks_uri`);
    return address;
  }

  #said(): string {
    return `the keys of ${this.config.issuer} cannot be read`;
  }
}

/** Reads a document of an issuer. Not over redirects, which could lead away from what was configured. */
async function readJson(address: string): Promise<unknown> {
  const answer = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (!answer.ok || !answer.body) throw new Error(`${address} answered ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(`${address} answers with more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
