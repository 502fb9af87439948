import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { ClusterHealth } from '../../pipeline/cluster-health.service.js';
import { ClusterHealthService } from '../../pipeline/cluster-health.service.js';
import { Clock } from '../../platform/clock.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import type { Gauge } from '../../platform/metrics.service.js';
import { Metrics } from '../../platform/metrics.service.js';
import { EVERYTHING } from '../../platform/scope.js';

/** Most clusters that have lines of their own, in order of their names. */
const MOST = 1000;
/** What was looked up serves all metrics of one reading, milliseconds. */
const FRESH = 5_000;

/** Shows the health of clusters among the metrics: looked up when somebody reads them, in one statement. */
@Injectable()
export class ClusterMetrics implements OnModuleInit {
  #found: { at: number; clusters: Promise<readonly ClusterHealth[]> } | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly health: ClusterHealthService,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const limit = `for at most ${MOST} clusters`;
    this.#gauge(
      'casebook_cluster_last_heard_timestamp_seconds',
      `When an event of a cluster last came, ${limit}; absent before the first.`,
      (cluster) => (cluster.lastHeardAt === null ? null : cluster.lastHeardAt / 1000),
    );
    this.#gauge(
      'casebook_cluster_events_per_minute',
      `New and grown events of a cluster a minute over the last 15 minutes, ${limit}.`,
      (cluster) => cluster.eventsPerMinute,
    );
    this.#gauge(
      'casebook_cluster_received_per_minute',
      `All events of a cluster a minute over the last 15 minutes, ${limit}.`,
      (cluster) => cluster.receivedPerMinute,
    );
    this.#gauge(
      'casebook_cluster_lag_median_seconds',
      `How late half of the events of the last 15 minutes came at most, ${limit}.`,
      (cluster) => cluster.lagMedian,
    );
    this.#gauge(
      'casebook_cluster_lag_95_seconds',
      `How late 95 in 100 of the events of the last 15 minutes came at most, ${limit}.`,
      (cluster) => cluster.lag95,
    );
    this.#gauge('casebook_cluster_silent', `1 while a cluster is silent, else 0, ${limit}.`, (cluster) =>
      cluster.status === 'SILENT' ? 1 : 0,
    );
  }

  #gauge(name: string, help: string, valueOf: (cluster: ClusterHealth) => number | null): void {
    this.metrics.gauge(name, help, ['cluster'], async (gauge: Gauge<'cluster'>) => {
      const clusters = await this.#clusters();
      // What was removed must not stay.
      gauge.reset();
      for (const cluster of clusters) {
        const value = valueOf(cluster);
        if (value !== null) gauge.set({ cluster: cluster.name }, value);
      }
    });
  }

  /** Without the database the other metrics are still to be read, so the lines of clusters are left out. */
  #clusters(): Promise<readonly ClusterHealth[]> {
    const now = this.clock.now();
    if (this.#found === undefined || now - this.#found.at >= FRESH || now < this.#found.at) {
      const clusters = this.health.find(EVERYTHING, { limit: MOST }).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'the health of clusters could not be read for the metrics');
        return [];
      });
      this.#found = { at: now, clusters };
    }
    return this.#found.clusters;
  }
}
