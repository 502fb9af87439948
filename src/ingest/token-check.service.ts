import { Inject, Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BusyError } from '../pipeline/busy-error.js';
import type { Caller } from '../platform/access.js';
import { Clock } from '../platform/clock.js';
import { Metrics } from '../platform/metrics.service.js';
import { RequestError } from '../platform/refusal.js';
import { EVERYTHING } from '../platform/scope.js';
import { hashToken, looksLikeApiToken, looksLikeClusterToken } from '../store/cluster-token.service.js';
import { FailedTokens, LONGEST_WAIT } from './failed-tokens.js';
import { INGEST_OPTIONS } from './ingest-options.js';
import type { IngestOptions } from './ingest-options.js';
import { KnownApiTokens } from './known-api-tokens.service.js';
import { KnownClusters } from './known-clusters.service.js';
import { OidcTokens, WrongTokenError } from './oidc/oidc-tokens.service.js';
import { Turns } from './turns.js';

/** When to come back after too many wrong tokens, seconds. */
const RETRY = 10;
/** Tokens that were never good are looked up in the database by as many connections at most: the others are for those who are known. */
const LOOK_UPS_AT_ONCE = 2;
/** Most tokens that wait for that. */
const MOST_WAITING = 1_000;

/** How a token could be found by trying: what is `signed` or `random` cannot be, what somebody may have `chosen` can. */
type Kind = 'signed' | 'random' | 'chosen';

/** Tells whose a token is, and slows down whoever sends wrong ones. */
@Injectable()
export class TokenCheck {
  readonly #adminHash: Uint8Array | undefined;
  readonly #adminKind: Kind | undefined;
  readonly #failed = new FailedTokens();
  readonly #lookUps = new Turns<string>(LOOK_UPS_AT_ONCE);
  readonly #wrong;

  constructor(
    @Inject(INGEST_OPTIONS) { adminToken }: IngestOptions,
    private readonly clusters: KnownClusters,
    private readonly tokens: KnownApiTokens,
    private readonly oidc: OidcTokens,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    if (adminToken !== undefined) {
      this.#adminHash = hashToken(adminToken);
      this.#adminKind = this.#formOf(adminToken);
    }
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
    const kind = this.#kindOf(token);
    try {
      if (kind === 'signed' || this.#failed.isGood(key)) return await this.#lookUp(token);
      const caller = await this.#lookUpInTurn(token, kind, address);
      this.#failed.good(key);
      return caller;
    } catch (error) {
      if (error instanceof WrongTokenError) {
        this.#failed.notGood(key);
        this.#wrong.inc();
      }
      return tellWrong(error);
    }
  }

  async #lookUpInTurn(token: string, kind: Kind, address: string): Promise<Caller> {
    const turn = this.#failed.turn(address, this.clock.now(), kind === 'chosen');
    // 503 and not 401 or 429: senders keep what they have and come back, and the token may well be good.
    if (!turn) throw new BusyError('too many wrong tokens came from this address', RETRY);
    if (turn.wait > 0) await pause(turn.wait);
    try {
      const caller = await (kind === 'random' ? this.#lookUpSparingly(token, turn.place) : this.#lookUp(token));
      turn.giveBack();
      return caller;
    } catch (error) {
      if (!(error instanceof WrongTokenError)) turn.giveBack();
      throw error;
    }
  }

  /** Looks up what may well be in no table: with few connections, and in turns among those who send such tokens. */
  #lookUpSparingly(token: string, place: string): Promise<Caller> {
    const busy = new BusyError('too many unknown tokens are being looked up', RETRY);
    if (this.#lookUps.size >= MOST_WAITING) throw busy;
    const asked = this.clock.now();
    return this.#lookUps.run(place, () => {
      if (this.clock.now() - asked > LONGEST_WAIT) throw busy;
      return this.#lookUp(token);
    });
  }

  /** What looks like the admin token could be a guess at it, and somebody may have chosen that. */
  #kindOf(token: string): Kind {
    const form = this.#formOf(token);
    return form === this.#adminKind ? 'chosen' : form;
  }

  #formOf(token: string): Kind {
    if (this.oidc.looksLikeOne(token)) return 'signed';
    return looksLikeApiToken(token) || looksLikeClusterToken(token) ? 'random' : 'chosen';
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
