import { Inject, Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BusyError } from '../pipeline/busy-error.js';
import type { Caller } from '../platform/access.js';
import { Clock } from '../platform/clock.js';
import { Metrics } from '../platform/metrics.service.js';
import { RequestError } from '../platform/refusal.js';
import { EVERYTHING } from '../platform/scope.js';
import { hashToken } from '../store/cluster-token.service.js';
import { FailedTokens } from './failed-tokens.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { KnownApiTokens } from './known-api-tokens.service.js';
import { KnownClusters } from './known-clusters.service.js';
import { OidcTokens, WrongTokenError } from './oidc/oidc-tokens.service.js';

/** When to come back after too many wrong tokens, seconds. */
const RETRY = 10;

/** Tells whose a token is, and slows down whoever sends wrong ones. */
@Injectable()
export class TokenCheck {
  readonly #adminHash: Uint8Array | undefined;
  readonly #failed = new FailedTokens();
  readonly #wrong;

  constructor(
    @Inject(INGEST_OPTIONS) options: IngestOptions,
    private readonly clusters: KnownClusters,
    private readonly tokens: KnownApiTokens,
    private readonly oidc: OidcTokens,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.#adminHash = options.adminToken === undefined ? undefined : hashToken(options.adminToken);
    this.#wrong = metrics.counter('casebook_wrong_tokens_total', 'Tokens that were refused because nobody here knows them.', []);
  }

  /**
   * Whose a token is, which came from an address; undefined for one that was good before.
   *
   * @throws RequestError UNAUTHENTICATED when it is nobody's or has expired; BusyError when too many wrong ones came from the address
   */
  async callerOf(token: string, address: string | undefined): Promise<Caller> {
    if (address === undefined) return this.#lookUp(token).catch(tellWrong);
    const key = Buffer.from(hashToken(token)).toString('base64');
    const wait = this.#failed.turn(key, address, this.clock.now());
    // 503 and not 401 or 429: senders keep what they have and come back, and the token may well be good.
    if (wait === undefined) throw new BusyError('too many wrong tokens came from this address', RETRY);
    if (wait > 0) await pause(wait);
    try {
      const caller = await this.#lookUp(token);
      this.#failed.good(key, address);
      return caller;
    } catch (error) {
      if (error instanceof WrongTokenError) {
        this.#failed.notGood(key);
        this.#wrong.inc();
      } else this.#failed.giveBack(key, address);
      return tellWrong(error);
    }
  }

  async #lookUp(token: string): Promise<Caller> {
    if (this.#adminHash && timingSafeEqual(hashToken(token), this.#adminHash)) {
      return { kind: 'user', id: 'admin-token', name: 'admin', role: 'admin', scope: EVERYTHING };
    }
    if (this.oidc.looksLikeOne(token)) return this.oidc.userOf(token);
    const own = await this.tokens.find(token);
    if (own) {
      this.#checkExpiry(own.expiresAt?.getTime() ?? null);
      return { kind: 'user', id: `token:${own.id}`, name: own.name, role: own.role, scope: own.scope };
    }
    const known = await this.clusters.ofToken(token);
    if (!known) throw new WrongTokenError('');
    this.#checkExpiry(known.expiresAt);
    const { id: tokenId, cluster } = known;
    return { kind: 'cluster', id: cluster.id, name: cluster.name, provider: cluster.provider, tokenId };
  }

  #checkExpiry(at: number | null): void {
    if (at !== null && at <= this.clock.now())
      throw new RequestError('UNAUTHENTICATED', `The token expired at ${new Date(at).toISOString()}: another has taken its place.`);
  }
}

function tellWrong(error: unknown): never {
  if (!(error instanceof WrongTokenError)) throw error;
  throw new RequestError('UNAUTHENTICATED', `The token is not known, or was revoked. ${error.message}`.trim());
}
