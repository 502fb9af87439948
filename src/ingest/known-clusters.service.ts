import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import { EVERYTHING } from '../platform/scope.js';
import type { Cluster } from '../store/cluster.js';
import { ClusterCredentialRepository } from '../store/cluster-credential.repository.js';
import type { KnownToken } from '../store/cluster-credential.repository.js';
import { ClusterRepository } from '../store/cluster.repository.js';
import { hashToken, looksLikeClusterToken } from '../store/cluster-token.service.js';
import { Registrations } from '../store/registrations.service.js';
import { TokenCache } from './token-cache.js';

/**
 * How long a cluster is taken as known without asking the database, milliseconds: also how long a change that another process made (a
 * token revoked, a cluster suspended) takes at most to be seen here. Changes of this process are seen at once.
 */
const TTL = 10_000;
const SIZE = 10_000;
const MINUTE = 60_000;

/** A token and the minute of its use that was noted last. */
interface SeenToken extends KnownToken {
  notedMinute: number;
}

/** Finds clusters by name and by token, asking the database once in a while only. What is not found is not remembered. */
@Injectable()
export class KnownClusters {
  readonly #byName = new TokenCache<Cluster>(TTL, SIZE);
  readonly #byToken = new TokenCache<SeenToken>(TTL, SIZE);
  readonly #secrets = new TokenCache<readonly string[]>(TTL, SIZE);
  #version = 0;

  constructor(
    private readonly clusters: ClusterRepository,
    private readonly credentials: ClusterCredentialRepository,
    private readonly registrations: Registrations,
    private readonly clock: Clock,
  ) {}

  /** The cluster of a name. */
  named(name: string): Promise<Cluster | undefined> {
    return this.#through(this.#byName, name, () => this.clusters.findByName(name, EVERYTHING));
  }

  /**
   * The token, valid or expired, and its cluster. Looked up by the token's hash, so that no comparison tells anything of a token. Its
   * use is noted once a minute.
   */
  async ofToken(token: string): Promise<KnownToken | undefined> {
    if (!looksLikeClusterToken(token)) return undefined;
    const hash = hashToken(token);
    const found = await this.#through(this.#byToken, Buffer.from(hash).toString('base64'), async () => {
      const known = await this.credentials.findToken(hash);
      return known && { ...known, notedMinute: 0 };
    });
    const minute = Math.floor(this.clock.now() / MINUTE);
    if (found && found.notedMinute !== minute) {
      found.notedMinute = minute;
      await this.credentials.noteUse(found.id);
    }
    return found;
  }

  /** The secrets with which a cluster may sign. Throws SealError when one cannot be read. */
  async signingSecrets(clusterId: number): Promise<readonly string[]> {
    return (await this.#through(this.#secrets, String(clusterId), () => this.credentials.openSigningSecrets(clusterId))) ?? [];
  }

  /** Forgets a cluster that is gone. */
  forget(name: string): void {
    this.#byName.delete(name);
  }

  async #through<V>(cache: TokenCache<V>, key: string, find: () => Promise<V | undefined>): Promise<V | undefined> {
    const { version } = this.registrations;
    if (version !== this.#version) {
      for (const each of [this.#byName, this.#byToken, this.#secrets]) each.clear();
      this.#version = version;
    }
    const now = this.clock.now();
    const known = cache.get(key, now);
    if (known !== undefined) return known;
    const found = await find();
    // What was read before a change is used this once and not remembered.
    if (found !== undefined && version === this.registrations.version) cache.set(key, found, now);
    return found;
  }
}
