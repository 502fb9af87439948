import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { Database } from './database.service.js';
import type { OpenObjectRow } from './queries/find-open-objects.js';
import { findOpenObjects } from './queries/find-open-objects.js';
import type { StoredWatch } from './queries/find-watches.js';
import { findWatches } from './queries/find-watches.js';
import type { SharedLease, WatchReplica } from './queries/find-watch-shares.js';
import { findWatchShares } from './queries/find-watch-shares.js';
import { Sealer } from './seal.service.js';
import { beatWatchReplica } from './statements/beat-watch-replica.js';
import { dropWatch, putWatchCredential } from './statements/put-watch-credential.js';
import { releaseWatchLeases, retireWatchReplica } from './statements/release-watch-leases.js';
import type { LeaseReport } from './statements/renew-watch-leases.js';
import { renewWatchLeases } from './statements/renew-watch-leases.js';
import type { WatchPosition } from './statements/store-watch-position.js';
import { storeWatchPosition } from './statements/store-watch-position.js';
import { takeWatchLeases } from './statements/take-watch-leases.js';
import type { WatchCredential } from './watch-credential.js';
import type { TakenLease, WatchMode } from './watch-lease.js';

/** A watch cannot be changed as asked, because the configuration of a running replica says otherwise. */
export class WatchConfiguredError extends Error {
  readonly code = 'WATCH_CONFIGURED';
  constructor(name: string) {
    super(
      `cluster "${name}" is watched because the environment of a running replica says so (CASEBOOK_WATCH_CONTEXTS or CASEBOOK_WATCH_IN_CLUSTER); change it there`,
    );
  }
}

/** The leases by which replicas share the clusters that are watched, and the credentials that lead to them. */
@Injectable()
export class WatchRepository {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /** Whether this service has a key that stored credentials may be opened with. */
  get opensCredentials(): boolean {
    return this.sealer.ready;
  }

  /** Ids of the clusters that are registered under one of these names, by name. */
  async registered(names: readonly string[]): Promise<Map<string, number>> {
    const found = await this.database.rows<{ name: string; id: number }>(
      'SELECT c.name, c.id FROM cluster c WHERE c.name = ANY($1::text[])',
      names,
    );
    return new Map(found.map(({ name, id }) => [name, id]));
  }

  /** Says that a replica is alive for another `ttl` milliseconds, and what it is configured to watch. */
  beat(
    replica: Omit<WatchReplica, 'configured' | 'opensStored'> & { name: string; configured: ReadonlyMap<number, WatchMode> },
    ttl: number,
  ) {
    const { id, name, configured } = replica;
    const modes = [...configured.values()];
    return beatWatchReplica(
      this.database,
      { id, name, configured: [...configured.keys()], modes, opensStored: this.opensCredentials },
      ttl,
    );
  }

  /** Prolongs leases and keeps what is reported of them; returns the clusters of those that are not lost. */
  async renew(holder: string, reports: readonly LeaseReport[], ttl: number): Promise<number[]> {
    return reports.length > 0 ? renewWatchLeases(this.database, holder, reports, ttl) : [];
  }

  /** The live replicas, and the clusters that they share. */
  shares(): Promise<{ replicas: WatchReplica[]; leases: SharedLease[] }> {
    return findWatchShares(this.database);
  }

  /** Takes those of the wanted leases that nobody holds, for `ttl` milliseconds. */
  async take(
    holder: { id: string; name: string },
    wanted: readonly { clusterId: number; mode: WatchMode }[],
    ttl: number,
  ): Promise<TakenLease[]> {
    return wanted.length > 0 ? takeWatchLeases(this.database, holder, wanted, ttl) : [];
  }

  /** Moves the position of a watch; false when the lease has changed hands since. */
  storePosition(position: WatchPosition): Promise<boolean> {
    return storeWatchPosition(this.database, position);
  }

  /** Objects of a cluster that something is open about, of some kinds, by their key after another one. */
  openObjects(clusterId: number, page: { kinds: readonly string[]; after: string; limit: number }): Promise<OpenObjectRow[]> {
    return findOpenObjects(this.database, clusterId, page);
  }

  /** Gives leases back. */
  release(holder: string, epochs: readonly number[]): Promise<void> {
    return releaseWatchLeases(this.database, holder, epochs);
  }

  /** Gives back all that a replica holds: it is going. */
  retire(holder: string): Promise<void> {
    return retireWatchReplica(this.database, holder);
  }

  /** How clusters are watched, by their ids, or all within the scope. */
  find(scope: Scope, ids?: readonly number[]): Promise<StoredWatch[]> {
    return findWatches(this.database.reads, scope, ids);
  }

  /**
   * Has a cluster watched with a credential, which is sealed and takes the place of any other.
   *
   * @throws SealError NO_SECRET_KEY when this service cannot keep secrets
   * @throws WatchConfiguredError when a live replica is configured to watch it
   */
  async put(cluster: { id: number; name: string }, credential: WatchCredential): Promise<void> {
    const sealed = this.sealer.seal(JSON.stringify(credential), purposeOf(cluster.id));
    await this.#refuseConfigured(cluster);
    await putWatchCredential(this.database, cluster.id, { sealed, server: credential.server });
  }

  /**
   * Ends the watch of a cluster and forgets its credential; false when it was not watched.
   *
   * @throws WatchConfiguredError when a live replica is configured to watch it
   */
  async drop(cluster: { id: number; name: string }): Promise<boolean> {
    await this.#refuseConfigured(cluster);
    return dropWatch(this.database, cluster.id);
  }

  /**
   * The stored credential of a cluster, for its watch alone; undefined when there is none.
   *
   * @throws SealError SECRET_UNREADABLE
   */
  async credential(clusterId: number): Promise<WatchCredential | undefined> {
    const [row] = await this.database.rows<{ sealed: string }>('SELECT sealed FROM watch_credential WHERE cluster_id = $1', clusterId);
    return row && (JSON.parse(this.sealer.open(row.sealed, purposeOf(clusterId))) as WatchCredential);
  }

  async #refuseConfigured({ id, name }: { id: number; name: string }): Promise<void> {
    const { replicas } = await this.shares();
    if (replicas.some(({ configured }) => configured.includes(id))) throw new WatchConfiguredError(name);
  }
}

/** What a credential is sealed for: that of one cluster opens for no other. */
function purposeOf(clusterId: number): string {
  return `cluster/${clusterId}/watch`;
}
