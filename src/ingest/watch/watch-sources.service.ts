import type { KubeConfig } from '@kubernetes/client-node';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import type { WatchMode } from '../../store/watch-lease.js';
import { WatchRepository } from '../../store/watch.repository.js';
import { fromCredential, fromKubeconfig, fromServiceAccount, WatchSourceError } from './kube-connection.service.js';
import { WATCH_OPTIONS } from './watch-options.js';
import type { WatchOptions } from './watch-options.js';

interface Configured {
  mode: WatchMode;
  open: () => KubeConfig;
}

/** The clusters that this replica is able to watch, and how each is reached. */
@Injectable()
export class WatchSources {
  /** By the name of the cluster. */
  readonly #configured: ReadonlyMap<string, Configured>;
  /** Those of them that are registered, by name. */
  #registered = new Map<string, number>();
  /** Those that the log has said are not. */
  #told = new Set<string>();

  constructor(
    @Inject(WATCH_OPTIONS) private readonly options: WatchOptions,
    private readonly clusters: ClusterRepository,
    private readonly watches: WatchRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const { kubeconfigs, contexts, inCluster } = options;
    this.#configured = new Map<string, Configured>([
      ...contexts.map(({ context, cluster }): [string, Configured] => [
        cluster,
        { mode: 'kubeconfig', open: () => fromKubeconfig(kubeconfigs, context) },
      ]),
      ...(inCluster === undefined
        ? []
        : [[inCluster, { mode: 'in-cluster', open: () => fromServiceAccount() }] satisfies [string, Configured]]),
    ]);
  }

  /** Names in this replica's configuration of which no cluster is registered. */
  get unregistered(): string[] {
    return [...this.#configured.keys()].filter((name) => !this.#registered.has(name));
  }

  /**
   * The clusters that the environment has this replica watch, by id, looked up anew: one that is not registered yet counts as soon as
   * it is. With CASEBOOK_WATCH_REGISTER it is registered here.
   */
  async configured(): Promise<Map<number, WatchMode>> {
    if (this.#configured.size === 0) return new Map();
    this.#registered = await this.#lookUp();
    if (this.options.register !== undefined && this.unregistered.length > 0) {
      for (const name of this.unregistered) await this.#register(name, this.options.register);
      this.#registered = await this.#lookUp();
    }
    this.#tell();
    return new Map([...this.#registered].map(([name, id]) => [id, this.#configured.get(name)!.mode]));
  }

  /** How a cluster is watched by this replica: what its environment says goes before a stored credential. */
  modeOf(clusterId: number): WatchMode {
    const name = [...this.#registered].find(([, id]) => id === clusterId)?.[0];
    return (name === undefined ? undefined : this.#configured.get(name)?.mode) ?? 'stored';
  }

  /**
   * Makes a connection to a cluster, from files and the database as they are now.
   *
   * @throws WatchSourceError, SealError or DatabaseUnavailableError with a message for the operator
   */
  async connect({ id, name }: { id: number; name: string }): Promise<KubeConfig> {
    const configured = this.#configured.get(name);
    if (configured) return configured.open();
    const credential = await this.watches.credential(id);
    if (!credential) throw new WatchSourceError(`No credential is stored for cluster ${JSON.stringify(name)} any more.`);
    return fromCredential(credential);
  }

  #lookUp(): Promise<Map<string, number>> {
    return this.watches.registered([...this.#configured.keys()]);
  }

  /** Its token is never used: who wants to send events as well asks for another. */
  async #register(name: string, provider: string): Promise<void> {
    try {
      await this.clusters.register({ name, provider, region: null, labels: {} });
      this.logger.info({ cluster: name, provider }, 'the cluster was registered, because CASEBOOK_WATCH_REGISTER says so');
    } catch (error) {
      // Another replica starts with the same environment.
      if ((error as { code?: string }).code !== 'CLUSTER_EXISTS') throw error;
    }
  }

  /** Says once of each cluster that it is missing. */
  #tell(): void {
    const missing = this.unregistered;
    const fresh = missing.filter((name) => !this.#told.has(name));
    this.#told = new Set(missing);
    if (fresh.length > 0)
      this.logger.warn({ clusters: fresh }, 'clusters to watch are not registered; they are watched as soon as they are');
  }
}
