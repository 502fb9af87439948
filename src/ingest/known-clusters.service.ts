import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/clock.js';
import type { Cluster } from '../store/cluster.js';
import { ClusterRepository } from '../store/cluster.repository.js';
import { hashToken, looksLikeClusterToken } from '../store/cluster-token.service.js';
import { TokenCache } from './token-cache.js';

/** How long a cluster is taken as known without asking the database, milliseconds: also how long a revoked token lives on. */
const TTL = 10_000;
const SIZE = 10_000;

/** Finds clusters by name and by token, asking the database once in a while only. What is not found is not remembered. */
@Injectable()
export class KnownClusters {
  readonly #byName = new TokenCache<Cluster>(TTL, SIZE);
  readonly #byToken = new TokenCache<Cluster>(TTL, SIZE);

  constructor(
    private readonly clusters: ClusterRepository,
    private readonly clock: Clock,
  ) {}

  /** The cluster of a name. */
  async named(name: string): Promise<Cluster | undefined> {
    const now = this.clock.now();
    const known = this.#byName.get(name, now);
    if (known) return known;
    const found = await this.clusters.findByName(name);
    if (found) this.#byName.set(name, found, now);
    return found;
  }

  /** The cluster that a token belongs to. Looked up by the token's hash, so that no comparison tells anything of a token. */
  async ofToken(token: string): Promise<Cluster | undefined> {
    if (!looksLikeClusterToken(token)) return undefined;
    const now = this.clock.now();
    const hash = hashToken(token);
    const key = Buffer.from(hash).toString('base64');
    const known = this.#byToken.get(key, now);
    if (known) return known;
    const found = await this.clusters.findByTokenHash(hash);
    if (found) this.#byToken.set(key, found, now);
    return found;
  }

  /** Forgets a cluster that is gone. */
  forget(name: string): void {
    this.#byName.delete(name);
  }
}
