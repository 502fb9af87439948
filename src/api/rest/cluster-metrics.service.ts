import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { ClusterHealth } from '../../pipeline/cluster-health.service.js';
import { ClusterHealthService } from '../../pipeline/cluster-health.service.js';
import { Clock } from '../../platform/clock.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import type { Gauge } from '../../platform/metrics.service.js';
import { Metrics } from '../../platform/metrics.service.js';
import { LookedUp } from '../../platform/looked-up.service.js';
import { EVERYTHING } from '../../platform/scope.js';

/** Most clusters that have lines of their own, in order of their names. */
export const MOST_CLUSTERS = 1000;

/** Shows the health of clusters among the metrics: looked up when somebody reads them, in one statement. */
@Injectable()
export class ClusterMetrics implements OnModuleInit {
  readonly #clusters: LookedUp<readonly ClusterHealth[]>;

  constructor(
    private readonly metrics: Metrics,
    health: ClusterHealthService,
    clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#clusters = new LookedUp(
      clock,
      () => health.find(EVERYTHING, { limit: MOST_CLUSTERS }),
      (error) => logger.warn({ err: error }, 'the health of clusters could not be read for the metrics'),
    );
  }

  onModuleInit(): void {
    const limit = `for at most ${MOST_CLUSTERS} clusters`;
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
    this.#gauge(
      'casebook_cluster_watch_up',
      `1 while some replica watches a cluster and the watch works, 0 while none does, ${limit}; absent for clusters that send their events themselves.`,
      ({ watchUp }) => (watchUp === null ? null : Number(watchUp)),
    );
  }

  #gauge(name: string, help: string, valueOf: (cluster: ClusterHealth) => number | null): void {
    this.metrics.gauge(name, help, ['cluster'], async (gauge: Gauge<'cluster'>) => {
      // Without the database the other metrics are still to be read, so the lines of clusters are left out.
      const clusters = (await this.#clusters.get()) ?? [];
      // What was removed must not stay.
      gauge.reset();
      for (const cluster of clusters) {
        const value = valueOf(cluster);
        if (value !== null) gauge.set({ cluster: cluster.name }, value);
      }
    });
  }
}
