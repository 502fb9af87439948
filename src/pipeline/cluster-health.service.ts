import { Injectable } from '@nestjs/common';
import type { ClusterStatus, Judgement } from '../incidents/judge-cluster.js';
import { judgeCluster } from '../incidents/judge-cluster.js';
import { lagOf } from '../incidents/lag.js';
import { Clock } from '../platform/clock.js';
import type { Scope } from '../platform/scope.js';
import { HealthRepository } from '../store/health.repository.js';
import type { ClusterSigns, SignsFilter, SilenceAfter } from '../store/queries/find-cluster-signs.js';
import { ENOUGH_MINUTES, WINDOW_MINUTES } from '../store/queries/find-cluster-signs.js';

/** How a cluster is doing. Times in milliseconds since the epoch. */
export interface ClusterHealth extends Judgement {
  id: number;
  name: string;
  lastHeardAt: number | null;
  /** Length of the window that the next fields are about, in minutes. */
  windowMinutes: number;
  /** New and grown events a minute. */
  eventsPerMinute: number;
  /** All events a minute, repeats included. */
  receivedPerMinute: number;
  /** How late half of the events came, and the lateness that 95 in 100 did not exceed, in seconds; null without events. */
  lagMedian: number | null;
  lag95: number | null;
  /** Usual longest pause, milliseconds; null when it never pauses for a minute. */
  usualPause: number | null;
  /** What the cluster is set to; null for as the service is. */
  silenceAfter: SilenceAfter | null;
  watched: boolean;
  /** Whether the watch over it works; null when it sends its events itself, or is suspended. */
  watchUp: boolean | null;
}

/** A time in which nothing was heard of a cluster, in milliseconds since the epoch; `until` is null while it lasts. */
export interface Gap {
  from: number;
  until: number | null;
  reason: GapReason;
}

/** Why nothing was heard. */
export type GapReason = 'CASEBOOK_AWAY' | 'SUSPENDED' | 'SILENT' | 'QUIET';

/** A watch that says it is watching and has not renewed its lease for so long is dead, milliseconds. */
const WATCH_LAPSED = 60_000;
/** Shortest pause that is listed as a gap, milliseconds. */
export const LEAST_GAP = 10 * 60_000;

const ONGOING: Partial<Record<ClusterStatus, GapReason>> = { SUSPENDED: 'SUSPENDED', SILENT: 'SILENT', QUIET: 'QUIET' };

/** Tells how clusters are doing, by what is stored of them: every replica says the same. */
@Injectable()
export class ClusterHealthService {
  constructor(
    private readonly repository: HealthRepository,
    private readonly clock: Clock,
    /** For clusters without a setting of their own. */
    private readonly silenceAfter: SilenceAfter,
  ) {}

  /** Health of clusters, by name. */
  async find(scope: Scope, filter: SignsFilter = {}): Promise<ClusterHealth[]> {
    const now = this.clock.now();
    const [signs, since] = await Promise.all([this.repository.signs(scope, filter, now), this.repository.upSince()]);
    const seen = scope.namespaces === null ? signs : signs.map(withoutWords);
    return seen.map((each) => this.#health(each, since ?? now, now));
  }

  /** The latest gaps of each cluster in the last seven days, the present one first; at most `limit` of each. */
  async gaps(clusters: readonly ClusterHealth[], limit: number): Promise<Map<number, Gap[]>> {
    const now = this.clock.now();
    const ids = clusters.map(({ id }) => id);
    const past = await this.repository.pauses(ids, { least: LEAST_GAP, limit }, now);
    return new Map(
      clusters.map((cluster) => {
        const gaps = (past.get(cluster.id) ?? []).map(({ from, until, silent, ownAbsence }): Gap => ({
          from,
          until,
          reason: silent ? 'SILENT' : ownAbsence ? 'CASEBOOK_AWAY' : 'QUIET',
        }));
        const { lastHeardAt, status } = cluster;
        const reason = ONGOING[status];
        const lasts = lastHeardAt !== null && reason !== undefined && now - lastHeardAt >= LEAST_GAP;
        const present: Gap[] = lasts ? [{ from: lastHeardAt, until: null, reason }] : [];
        return [cluster.id, [...present, ...gaps].slice(0, limit)];
      }),
    );
  }

  /** Judges a cluster by its signs at `now`; `upSince` says since when Casebook has been there. All in milliseconds since the epoch. */
  judge(signs: ClusterSigns, upSince: number, now: number): Judgement {
    const { suspended, lastHeardAt, usualPause, heardMinutes, watch, silentSince, resumedAt } = signs;
    const silenceAfter = signs.silenceAfter ?? this.silenceAfter;
    return judgeCluster(
      {
        suspended,
        lastHeardAt,
        silenceAfter,
        usualPause,
        watch,
        listeningSince: Math.max(upSince, resumedAt ?? 0),
        silentSince,
        wellKnown: heardMinutes >= ENOUGH_MINUTES,
      },
      now,
    );
  }

  #health(signs: ClusterSigns, upSince: number, now: number): ClusterHealth {
    const { id, name, lastHeardAt, usualPause, silenceAfter, events, received, lag, watch } = signs;
    return {
      ...this.judge(signs, upSince, now),
      id,
      name,
      lastHeardAt,
      windowMinutes: WINDOW_MINUTES,
      eventsPerMinute: events / WINDOW_MINUTES,
      receivedPerMinute: received / WINDOW_MINUTES,
      lagMedian: lagOf(lag, 0.5),
      lag95: lagOf(lag, 0.95),
      usualPause,
      silenceAfter,
      watched: watch !== null,
      watchUp: watch && !signs.suspended ? watch.state === 'watching' && now - (watch.aliveAt ?? -Infinity) < WATCH_LAPSED : null,
    };
  }
}

/** What an API server answers is for those who may see the whole cluster. */
function withoutWords(signs: ClusterSigns): ClusterSigns {
  return signs.watch ? { ...signs, watch: { ...signs.watch, error: null } } : signs;
}
