import { LAG_BOUNDS } from '../../incidents/lag.js';
import type { Scope } from '../../platform/scope.js';
import type { Database } from '../database.service.js';
import { ms } from '../rows.js';
import { scopeWhere } from './scope-where.js';

/** The signs of life of a cluster that its health is judged by. Times in milliseconds since the epoch. */
export interface ClusterSigns {
  id: number;
  name: string;
  provider: string;
  suspended: boolean;
  lastHeardAt: number | null;
  /** Its own setting; null for as the service is set. */
  silenceAfter: SilenceAfter | null;
  /** When it was last resumed after it had been suspended; null for never. */
  resumedAt: number | null;
  /** The last word before the silence that is raised; null when none is. */
  silentSince: number | null;
  /** The third longest pause of the last seven days, milliseconds; null when there were fewer of a minute or more. */
  usualPause: number | null;
  /** In how many minutes of the last seven days it was heard, counted up to `ENOUGH_MINUTES`. */
  heardMinutes: number;
  /** New and grown events, and all events, of the last `WINDOW_MINUTES`. */
  events: number;
  received: number;
  /** New and grown events of that window by lateness, see `LAG_BOUNDS`. */
  lag: number[];
  /** What is known of the watch over the cluster; null when it sends its events itself. */
  watch: WatchSigns | null;
}

/** The pause that is too long for a cluster, milliseconds; 0 for never, `auto` by what is usual for it. */
export type SilenceAfter = number | 'auto';

/** How `auto` is stored. */
export const STORED_AUTO = -1;

/** The signs of life of a watch. */
export interface WatchSigns {
  /** When it was last known to work, milliseconds since the epoch; null for never. */
  aliveAt: number | null;
  state: string;
  error: string | null;
}

/** Which clusters to look at; all conditions have to hold. */
export interface SignsFilter {
  ids?: readonly number[] | undefined;
  /** Only those that have not been heard for a minute, or whose silence is raised. */
  quiet?: boolean | undefined;
  limit?: number | undefined;
}

/** Length of the window for rates and lateness, in minutes. */
export const WINDOW_MINUTES = 15;
/** How many minutes a cluster has to be heard in before its pauses are judged. */
export const ENOUGH_MINUTES = 10;
/** How far back pauses count. */
export const PAUSE_DAYS = 7;
/** Which of the pauses, in order of length, is the usual one: two accidents a week change nothing. */
const USUAL = 3;

/** A watch that holds its lease and watches is alive now; else it was when it last moved on. */
const WATCH = `SELECT w.state, w.error,
    ${ms(`GREATEST(w.position_at, CASE WHEN w.state = 'watching' THEN LEAST(w.expires_at, n.at) END)`)} AS alive_at
  FROM watch_lease w WHERE w.cluster_id = c.id`;

/** Not for a minute; of a watch that never brought an event it is enough that there is one. */
const UNHEARD = `(c.last_heard_at < n.at - interval '1 minute' OR (c.last_heard_at IS NULL AND w.state IS NOT NULL))`;

/** A pause that Casebook's own absence lies in says nothing of the cluster. */
export const OWN_ABSENCE = `EXISTS (SELECT 1 FROM service_span s
  WHERE s.started_at > m.heard_at - m.pause_ms * interval '1 ms' AND s.started_at <= m.heard_at)`;

type Row = Omit<ClusterSigns, 'watch' | 'silenceAfter'> & {
  silenceAfter: number | null;
  watch_state: string | null;
  watch_error: string | null;
  watch_alive_at: number | null;
};

/** Finds the signs of life of clusters, by name, at `now` (milliseconds since the epoch) or by the database's clock. */
export async function findClusterSigns(
  database: Pick<Database, 'rows'>,
  scope: Scope,
  { ids, quiet, limit }: SignsFilter,
  now: number | null,
): Promise<ClusterSigns[]> {
  const params: unknown[] = [now];
  const put = (value: unknown): string => `$${params.push(value)}`;
  const conditions = scopeWhere({ ...scope, namespaces: null }, { cluster: 'c.id', namespace: null }, put);
  if (ids) conditions.push(`c.id = ANY(${put(ids)}::integer[])`);
  if (quiet) conditions.push(`c.removing_at IS NULL AND (c.silent_since IS NOT NULL OR ${UNHEARD})`);
  const sums = LAG_BOUNDS.map((_, i) => `COALESCE(sum(m.lag[${i + 1}]), 0)::integer`).join(', ');
  const found = await database.rows<Row>(
    `WITH n AS MATERIALIZED (SELECT COALESCE(to_timestamp($1::float8 / 1000.0), now()) AS at)
     SELECT c.id, c.name, c.provider, c.suspended_at IS NOT NULL AS suspended, ${ms('c.last_heard_at')} AS "lastHeardAt", c.silence_after_ms::float8 AS "silenceAfter",
       ${ms('c.silent_since')} AS "silentSince", ${ms('c.resumed_at')} AS "resumedAt", u.pause_ms::float8 AS "usualPause", h.minutes AS "heardMinutes", r.events, r.received, r.lag,
       w.state AS watch_state, w.error AS watch_error, w.alive_at AS watch_alive_at
     FROM n CROSS JOIN cluster c
     LEFT JOIN LATERAL (
       SELECT COALESCE(sum(m.events), 0)::integer AS events, COALESCE(sum(m.received), 0)::integer AS received, ARRAY[${sums}] AS lag
       FROM cluster_minute m WHERE m.cluster_id = c.id AND m.minute > n.at - interval '${WINDOW_MINUTES} minutes'
     ) r ON true
     LEFT JOIN LATERAL (
       SELECT m.pause_ms FROM cluster_minute m
       WHERE m.cluster_id = c.id AND m.pause_ms IS NOT NULL AND m.minute > n.at - interval '${PAUSE_DAYS} days' AND NOT ${OWN_ABSENCE}
       ORDER BY m.pause_ms DESC OFFSET ${USUAL - 1} LIMIT 1
     ) u ON true
     LEFT JOIN LATERAL (
       SELECT count(*)::integer AS minutes FROM (
         SELECT 1 FROM cluster_minute m WHERE m.cluster_id = c.id AND m.minute > n.at - interval '${PAUSE_DAYS} days' LIMIT ${ENOUGH_MINUTES}
       ) heard
     ) h ON true
     LEFT JOIN LATERAL (${WATCH}) w ON true
     WHERE ${conditions.length === 0 ? 'true' : conditions.join(' AND ')} ORDER BY c.name ${limit === undefined ? '' : `LIMIT ${put(limit)}`}`,
    ...params,
  );
  return found.map(({ watch_state: state, watch_error: error, watch_alive_at: aliveAt, silenceAfter, ...signs }) => ({
    ...signs,
    silenceAfter: silenceAfter === STORED_AUTO ? ('auto' as const) : silenceAfter,
    watch: state === null ? null : { state, error, aliveAt },
  }));
}
