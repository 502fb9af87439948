import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { ApiToken } from '../store/api-token.js';
import { ApiTokenRepository } from '../store/api-token.repository.js';
import { hashToken, looksLikeApiToken } from '../store/cluster-token.service.js';
import { Registrations } from '../store/registrations.service.js';
import { TokenCache } from './token-cache.js';

/** As for clusters: how long a change that another process made takes at most to be seen here, milliseconds. */
const TTL = 10_000;
const SIZE = 10_000;
const MINUTE = 60_000;

/** A token and the minute of its use that was noted last. */
interface SeenToken extends ApiToken {
  notedMinute: number;
}

/** Finds API tokens, asking the database once in a while only. What is not found is not remembered. */
@Injectable()
export class KnownApiTokens {
  readonly #cache = new TokenCache<SeenToken>(TTL, SIZE);
  #version = 0;

  constructor(
    private readonly tokens: ApiTokenRepository,
    private readonly registrations: Registrations,
    private readonly clock: Clock,
  ) {}

  /** The token, valid or expired. Its use is noted once a minute, unless it has expired. */
  async find(token: string): Promise<ApiToken | undefined> {
    if (!looksLikeApiToken(token)) return undefined;
    const { version } = this.registrations;
    if (version !== this.#version) {
      this.#cache.clear();
      this.#version = version;
    }
    const now = this.clock.now();
    const hash = hashToken(token);
    const key = Buffer.from(hash).toString('base64');
    const known = this.#cache.get(key, now) ?? (await this.#look(hash, key, version));
    const minute = Math.floor(now / MINUTE);
    if (known && known.notedMinute !== minute && (known.expiresAt === null || known.expiresAt.getTime() > now)) {
      known.notedMinute = minute;
      await this.tokens.noteUse(known.id);
    }
    return known;
  }

  async #look(hash: Uint8Array, key: string, version: number): Promise<SeenToken | undefined> {
    const found = await this.tokens.findByHash(hash);
    const seen = found && { ...found, notedMinute: 0 };
    // What was read before a change is used this once and not remembered.
    if (seen && version === this.registrations.version) this.#cache.set(key, seen, this.clock.now());
    return seen;
  }
}
