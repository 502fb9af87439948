import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import type { StoredEventKey } from './queries/find-stored-events.js';
import { rows } from './rows.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';

/** How far stored data were diagnosed again. */
export interface Rediagnosis {
  /** Version of the knowledge. */
  version: string;
  phase: 'events' | 'incidents' | 'done';
  /** Last Event of the phase `events`. */
  after: StoredEventKey | null;
  /** Id of the last incident of the phase `incidents`. */
  afterIncident: string | null;
  /** Events looked at, incidents looked at, and incidents ended. */
  events: number;
  incidents: number;
  ended: number;
}

/** An incident that is not resolved. */
export interface OpenIncident {
  id: string;
  problem: string;
  provider: string;
  /** Its latest Events, at most 100, and fewer where they are long. */
  events: { reason: string; type: string; reporter: string; message: string; kind: string }[];
  /** True when it has none any more because they belong to others now, and not because they are too old to be kept. */
  moved: boolean;
}

const EVENTS = 100;
/** Text of the Events of one incident after which no more of them are read, in characters: a page of them has to fit into memory. */
const TEXT = 131_072;

/** Where the work of diagnosing again stands, so that any replica can go on after a restart. */
@Injectable()
export class RediagnosisRepository {
  constructor(private readonly database: Database) {}

  /** Runs `work` as the only process; returns false when another one is at it. */
  alone(work: () => Promise<void>): Promise<boolean> {
    return this.database.session(async (connection) => {
      const [lock] = await rows<{ taken: boolean }>(connection, 'SELECT pg_try_advisory_lock($1) AS taken', ADVISORY_LOCKS.rediagnosis);
      if (!lock!.taken) return false;
      try {
        await work();
        return true;
      } finally {
        await rows(connection, 'SELECT pg_advisory_unlock($1)', ADVISORY_LOCKS.rediagnosis);
      }
    });
  }

  /** Where it stands; undefined before the first time. */
  async state(): Promise<Rediagnosis | undefined> {
    const [row] = await this.database.rows<
      Omit<Rediagnosis, 'after' | 'afterIncident'> & { position: StoredEventKey | { id: string } | null }
    >('SELECT r.version, r.phase, r.position, r.events, r.incidents, r.ended FROM rediagnosis r');
    if (!row) return undefined;
    const { position, ...rest } = row;
    const isIncident = position !== null && 'id' in position;
    return { ...rest, after: isIncident ? null : position, afterIncident: isIncident ? position.id : null };
  }

  /** Notes where it stands. */
  async note({ version, phase, after, afterIncident, events, incidents, ended }: Rediagnosis): Promise<void> {
    const position = afterIncident === null ? after : { id: afterIncident };
    await this.database.rows(
      `INSERT INTO rediagnosis AS r (version, phase, position, events, incidents, ended) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (single) DO UPDATE SET version = EXCLUDED.version, phase = EXCLUDED.phase, position = EXCLUDED.position,
         events = EXCLUDED.events, incidents = EXCLUDED.incidents, ended = EXCLUDED.ended,
         started_at = CASE WHEN r.version = EXCLUDED.version THEN r.started_at ELSE now() END,
         finished_at = CASE WHEN EXCLUDED.phase = 'done' THEN now() END`,
      version,
      phase,
      position === null ? null : JSON.stringify(position),
      events,
      incidents,
      ended,
    );
  }

  /** A page of the incidents that are not resolved, by id, with their latest Events. OFFSET 0 keeps the planner from joining whole tables. */
  openIncidents(after: string | null, limit: number): Promise<OpenIncident[]> {
    return this.database.rows<OpenIncident & Record<string, unknown>>(
      `SELECT i.id, i.problem_id AS problem, c.provider, COALESCE(v.events, '[]') AS events,
         v.events IS NULL AND (i.occurrences = 0 OR EXISTS (
           SELECT FROM affected a JOIN sighting s ON s.affected_id = a.id JOIN event e ON e.cluster_id = s.cluster_id AND e.uid = s.uid
           WHERE a.incident_id = i.id OFFSET 0)) AS moved
       FROM (SELECT * FROM incident i WHERE i.status <> 'resolved' AND ($1::uuid IS NULL OR i.id > $1)
               AND EXISTS (SELECT FROM cluster c WHERE c.id = i.cluster_id AND c.removing_at IS NULL)
             ORDER BY i.id LIMIT $2) i
         JOIN cluster c ON c.id = i.cluster_id
         LEFT JOIN LATERAL (
           SELECT json_agg(json_build_object('reason', l.reason, 'type', l.type, 'reporter', l.reporter, 'message', l.message, 'kind', l.kind)) AS events
           FROM (
             SELECT e.*, sum(length(e.message)) OVER (ORDER BY e.last_at DESC, e.uid DESC) - length(e.message) AS before
             FROM (SELECT * FROM event e WHERE e.incident_id = i.id ORDER BY e.last_at DESC, e.uid DESC LIMIT ${EVENTS}) e
           ) l WHERE l.before < ${TEXT}
         ) v ON true
       ORDER BY i.id`,
      after,
      limit,
    );
  }
}
