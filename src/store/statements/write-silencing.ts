import type { Silencing } from '../../incidents/silencing.js';
import { SILENCING_COLUMNS } from '../queries/find-silencings.js';
import type { Connection } from '../rows.js';
import { rows } from '../rows.js';
import type { Actor } from './record-work.js';

/** What is said of a silence or maintenance window by those who set it. */
export type SaidSilencing = Omit<Silencing, 'id' | 'createdBy' | 'createdAt' | 'version'>;

const SAID = `kind, clusters, namespaces, problems, severities, kinds, names, starts_at, ends_at, cron, duration_ms, time_zone, reason`;
const VALUES = `$1, $2, $3, $4, $5, $6, $7, to_timestamp($8::float8 / 1000.0), to_timestamp($9::float8 / 1000.0), $10, $11, $12, $13`;

function valuesOf(said: SaidSilencing): unknown[] {
  const { kind, clusters, namespaces, problems, severities, kinds, names, startsAt, endsAt, cron, durationMs, timeZone, reason } = said;
  return [kind, clusters, namespaces, problems, severities, kinds, names, startsAt, endsAt, cron, durationMs, timeZone, reason];
}

/** Stores a new one; `now` in milliseconds since the epoch. */
export async function insertSilencing(connection: Connection, said: SaidSilencing, by: Actor, now: number): Promise<Silencing> {
  const [created] = await rows<Silencing>(
    connection,
    `INSERT INTO silencing AS s (${SAID}, created_by, created_at) VALUES (${VALUES}, $14, to_timestamp($15::float8 / 1000.0)) RETURNING ${SILENCING_COLUMNS}`,
    ...valuesOf(said),
    by.name,
    now,
  );
  return created!;
}

/** Takes one for the rest of the transaction; undefined when there is none. */
export async function lockSilencing(connection: Connection, kind: string, id: string): Promise<Silencing | undefined> {
  const [found] = await rows<Silencing>(
    connection,
    `SELECT ${SILENCING_COLUMNS} FROM silencing s WHERE s.id = $1 AND s.kind = $2 FOR UPDATE`,
    id,
    kind,
  );
  return found;
}

/** Puts what is said now in the place of what was said, as a new version. */
export async function updateSilencing(connection: Connection, id: string, said: SaidSilencing): Promise<Silencing> {
  const [updated] = await rows<Silencing>(
    connection,
    `UPDATE silencing AS s SET (${SAID}, version) = (${VALUES}, s.version + 1) WHERE s.id = $14 RETURNING ${SILENCING_COLUMNS}`,
    ...valuesOf(said),
    id,
  );
  return updated!;
}

/** Writes a change down for ever. */
export async function recordSilencing(
  connection: Connection,
  kind: 'CREATED' | 'UPDATED' | 'ENDED',
  { before, after, by, now }: { before: Silencing | null; after: Silencing; by: Actor; now: number },
): Promise<void> {
  await rows(
    connection,
    `INSERT INTO silencing_audit (silencing_id, at, version, kind, by, by_id, before, after)
     VALUES ($1, to_timestamp($2::float8 / 1000.0), $3, $4, $5, $6, $7, $8)`,
    after.id,
    now,
    after.version,
    kind,
    by.name,
    by.id,
    before && JSON.stringify(shown(before)),
    JSON.stringify(shown(after)),
  );
}

/** How it is written down: conditions that hold for all are left out, times are for people to read. */
function shown({ startsAt, endsAt, durationMs, cron, timeZone, reason, ...rest }: Silencing): object {
  const { clusters, namespaces, problems, severities, kinds, names } = rest;
  const lists = Object.entries({ clusters, namespaces, problems, severities, kinds, names }).filter(([, values]) => values.length > 0);
  return {
    ...Object.fromEntries(lists),
    startsAt: new Date(startsAt).toISOString(),
    endsAt: endsAt === null ? null : new Date(endsAt).toISOString(),
    ...(durationMs !== null && { recurring: { cron, durationMinutes: durationMs / 60_000, timeZone } }),
    reason,
  };
}
