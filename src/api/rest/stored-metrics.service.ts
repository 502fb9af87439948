import { Inject, Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { LookedUp } from '../../platform/looked-up.service.js';
import { Metrics } from '../../platform/metrics.service.js';
import { EVERYTHING } from '../../platform/scope.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import { PartitionRepository } from '../../store/partition.repository.js';
import type { PartitionState } from '../../store/partition.repository.js';
import { MOST_CLUSTERS } from './cluster-metrics.service.js';

const SEVERITIES = ['critical', 'error', 'warning', 'info'];

/** Shows what is stored among the metrics: looked up when somebody reads them. Nothing here takes longer as history grows. */
@Injectable()
export class StoredMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    private readonly incidents: IncidentRepository,
    private readonly partitions: PartitionRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.#openIncidents();
    this.#partitions();
    const size = this.#lookedUp(() => this.partitions.size());
    this.metrics.gauge('casebook_database_size_bytes', 'Size of the database with everything in it.', [], async (gauge) =>
      gauge.set((await size.get()) ?? NaN),
    );
  }

  #openIncidents(): void {
    const found = this.#lookedUp(() => this.incidents.countBySeverity(EVERYTHING, MOST_CLUSTERS));
    this.metrics.gauge(
      'casebook_incidents_open',
      `Incidents that are not resolved, by cluster and severity, for at most ${MOST_CLUSTERS} clusters.`,
      ['cluster', 'severity'],
      async (gauge) => {
        const counts = (await found.get()) ?? [];
        // What was removed must not stay, and what has ended is told as 0.
        gauge.reset();
        for (const { cluster } of counts) for (const severity of SEVERITIES) gauge.set({ cluster, severity }, 0);
        for (const { cluster, severity, count } of counts) if (severity !== null) gauge.set({ cluster, severity }, count);
      },
    );
  }

  #partitions(): void {
    const found = this.#lookedUp(() => this.partitions.state());
    const show = (name: string, help: string, valueOf: (state: PartitionState) => number | null): void => {
      this.metrics.gauge(name, help, ['table'], async (gauge) => {
        const tables = (await found.get()) ?? [];
        gauge.reset();
        for (const state of tables) {
          const value = valueOf(state);
          if (value !== null) gauge.set({ table: state.table }, value);
        }
      });
    };
    show('casebook_partitions', 'Days for which a table has a partition.', ({ days }) => days);
    show(
      'casebook_partitions_from_timestamp_seconds',
      'Begin of the oldest day for which a table has a partition.',
      ({ from }) => from && from / 1000,
    );
    show(
      'casebook_partitions_until_timestamp_seconds',
      'End of the last day for which a table has a partition; a week ahead as a rule.',
      ({ until }) => until && until / 1000,
    );
  }

  #lookedUp<T>(lookUp: () => Promise<T>): LookedUp<T> {
    return new LookedUp(this.clock, lookUp, (error) =>
      this.logger.warn({ err: error }, 'what is stored could not be looked at for the metrics'),
    );
  }
}
