import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import type { Counter } from '../../platform/metrics.service.js';
import { Metrics } from '../../platform/metrics.service.js';
import { MESSAGE_MASK } from '../../platform/message-mask.js';
import type { MessageMask } from '../../platform/message-mask.js';
import { redactSecrets } from '../../platform/redact-secrets.js';
import type { WatchMode, WatchReport } from '../../store/watch-lease.js';
import type { WatchSaid } from './cluster-watch.service.js';
import { WatchSources } from './watch-sources.service.js';

/** A watch of this replica, as it is at this moment. */
export interface LiveWatch {
  /** Name of the cluster. */
  cluster: string;
  mode: WatchMode;
  report: WatchReport;
}

const PHASES = ['connecting', 'listing', 'watching', 'backing-off', 'stopped'] as const;
/** Refusals of one batch that the log names. */
const LOGGED = 5;

/**
 * What the watches of this replica are doing, for metrics and for whoever asks here; those of all replicas, as of their last
 * renewal, are in `WatchRepository.find`.
 */
@Injectable()
export class WatchStates {
  readonly #events: Counter<'cluster' | 'result'>;
  readonly #takeovers: Counter;
  #list: () => LiveWatch[] = () => [];

  constructor(
    metrics: Metrics,
    sources: WatchSources,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(MESSAGE_MASK) private readonly mask: MessageMask = redactSecrets,
  ) {
    this.#events = metrics.counter(
      'casebook_watch_events_total',
      'Events read by the watches of this replica, by cluster and what became of them.',
      ['cluster', 'result'],
    );
    this.#takeovers = metrics.counter(
      'casebook_watch_takeovers_total',
      'Clusters that this replica took over from one whose lease had lapsed.',
    );
    metrics.gauge(
      'casebook_watch_state',
      'Watches of this replica: 1 for the state that the watch of the cluster is in, 0 for the others.',
      ['cluster', 'state'],
      (gauge) => {
        gauge.reset();
        for (const { cluster, report } of this.#list())
          for (const state of PHASES) gauge.set({ cluster, state }, state === report.phase ? 1 : 0);
      },
    );
    metrics.gauge(
      'casebook_watch_unregistered',
      'Clusters that this replica is configured to watch and that are not registered.',
      [],
      (gauge) => gauge.set(sources.unregistered.length),
    );
  }

  /** The watches that this replica holds, as they are now. */
  list(): LiveWatch[] {
    return this.#list();
  }

  /** Where the list comes from. */
  follow(list: () => LiveWatch[]): void {
    this.#list = list;
  }

  /** Counts a take-over from a replica that died. */
  countTakeover(): void {
    this.#takeovers.inc();
  }

  /** Counts what became of events of a cluster, and tells the log what went wrong. */
  count(cluster: string, { accepted = 0, merged = 0, refused = [], failed, lookFailed }: WatchSaid): void {
    for (const [result, count] of Object.entries({ accepted, merged, rejected: refused.length })) {
      if (count > 0) this.#events.inc({ cluster, result }, count);
    }
    if (refused.length > 0) {
      const shown = refused.slice(0, LOGGED).map(({ index, reason }) => ({ element: index, reason: this.mask(reason).slice(0, 300) }));
      this.logger.warn({ cluster, count: refused.length, refused: shown }, 'the watch read what cannot be stored');
    }
    if (lookFailed !== undefined) this.logger.warn({ cluster, err: lookFailed }, 'open objects could not be looked up and will be again');
    if (failed !== undefined) this.logger.error({ cluster, err: failed }, 'the watch failed and begins anew');
  }
}
