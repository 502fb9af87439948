import { Inject, Injectable } from '@nestjs/common';
import { errors, jwtVerify } from 'jose';
import type { OidcConfig } from '../../config/parse-oidc.js';
import type { User } from '../../platform/access.js';
import { Clock } from '../../platform/clock.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { RequestError } from '../../platform/refusal.js';
import { INGEST_OPTIONS } from '../ingest-options.js';
import type { IngestOptions } from '../ingest-options.js';
import { IssuerKeys } from './issuer-keys.service.js';
import { userOfClaims } from './user-of-claims.js';

/**
 * How tokens may be signed: with a key of which only the public half is known here. Not HS256 and the like, which would take that
 * half for a shared secret, and not `none`.
 */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** How far clocks may be apart, seconds. */
const TOLERANCE = 60;
const LONGEST = 16_384;
const THREE_PARTS = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/** A token that nobody who is trusted has signed like this; the message says what is wrong with it. */
export class WrongTokenError extends Error {}

/** Checks the JSON Web Tokens of an OpenID Connect issuer. */
@Injectable()
export class OidcTokens {
  readonly #config: OidcConfig | undefined;
  readonly #keys: IssuerKeys | undefined;

  constructor(
    @Inject(INGEST_OPTIONS) { oidc }: IngestOptions,
    private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#config = oidc;
    this.#keys =
      oidc &&
      new IssuerKeys(oidc, clock, (error) => logger.warn({ issuer: oidc.issuer, err: error }, 'the keys of the issuer could not be read'));
  }

  /** False for a text that is no JSON Web Token, and for all when no issuer is configured. */
  looksLikeOne(token: string): boolean {
    return this.#config !== undefined && token.length <= LONGEST && THREE_PARTS.test(token);
  }

  /**
   * Whose a token is.
   *
   * @throws WrongTokenError for a token that is not the issuer's or not for Casebook; RequestError UNAUTHENTICATED for one that was but
   *   is not now, FORBIDDEN for one without a role; IssuerUnavailableError when its key cannot be had
   */
  async userOf(token: string): Promise<User> {
    const user = userOfClaims(await this.#claimsOf(token), this.#config!);
    if (user) return user;
    throw new RequestError(
      'FORBIDDEN',
      `The token is good, but none of the values of its claim "${this.#config!.roleClaim}" stands for a role of Casebook; CASEBOOK_OIDC_ROLE_MAPPING says which do.`,
    );
  }

  async #claimsOf(token: string): Promise<Record<string, unknown>> {
    const { issuer, audience } = this.#config!;
    try {
      const { payload } = await jwtVerify(token, this.#keys!.find, {
        issuer,
        audience: [...audience],
        algorithms: ALGORITHMS,
        clockTolerance: TOLERANCE,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(this.clock.now()),
      });
      return payload;
    } catch (error) {
      throw toldAs(error);
    }
  }
}

/** Failed checks in words that tell nothing of the token but what its sender knows. */
function toldAs(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new RequestError('UNAUTHENTICATED', 'The token has expired: get another one.');
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === 'nbf') return new RequestError('UNAUTHENTICATED', 'The token is not valid yet.');
    return new WrongTokenError(reason === 'missing' ? `It has no claim "${claim}".` : `Its claim "${claim}" is not the expected one.`);
  }
  if (error instanceof errors.JOSEAlgNotAllowed) return new WrongTokenError(`It has to be signed with one of ${ALGORITHMS.join(', ')}.`);
  if (error instanceof errors.JWKSNoMatchingKey) return new WrongTokenError('Its issuer has no such key.');
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return new WrongTokenError('It does not say which of the keys it is signed with: "kid".');
  if (error instanceof errors.JWSSignatureVerificationFailed) return new WrongTokenError('Its signature is wrong.');
  return error instanceof errors.JOSEError ? new WrongTokenError('It is damaged.') : error;
}
