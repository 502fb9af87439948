import { Injectable } from '@nestjs/common';
import type { Silenceable, Silencing } from '../incidents/silencing.js';
import type { Scope } from '../platform/scope.js';
import { Database } from './database.service.js';
import type { SilencingChange, SilencingPage } from './queries/find-silencings.js';
import { countSilencings, findSilenceable, findSilencingChanges, findSilencingsAt, listSilencings } from './queries/find-silencings.js';
import { SilencingConflictError, SilencingUnknownError } from './silencing-errors.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import type { Actor } from './statements/record-work.js';
import type { SaidSilencing } from './statements/write-silencing.js';
import { insertSilencing, lockSilencing, recordSilencing, updateSilencing } from './statements/write-silencing.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';

/** Most of each kind whose time is not over: every one is held against every incident that is shown. */
const MOST = 500;
const CHANGES = 100;

/** Who changes a silence or maintenance window, and which version of it they have seen (null for whichever). */
export interface SilencingRequest {
  kind: Silencing['kind'];
  id: string;
  scope: Scope;
  by: Actor;
  expectedVersion: number | null;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Keeps silences and maintenance windows, and what was changed of them by whom. */
@Injectable()
export class SilencingRepository {
  constructor(private readonly database: Database) {}

  list(page: SilencingPage): Promise<Silencing[]> {
    return listSilencings(this.database.reads, page);
  }

  count(list: Omit<SilencingPage, 'limit' | 'after'>): Promise<number> {
    return countSilencings(this.database.reads, list);
  }

  /** All whose time is at a moment; of recurring ones those that may recur then. */
  at(moment: number): Promise<Silencing[]> {
    return findSilencingsAt(this.database, moment);
  }

  /** What decides whether incidents are silenced. */
  silenceable(incidentIds: readonly string[]): Promise<(Silenceable & { id: string })[]> {
    return findSilenceable(this.database, incidentIds);
  }

  /** The latest changes of each, at most 100. */
  changes(ids: readonly string[]): Promise<Map<string, SilencingChange[]>> {
    return findSilencingChanges(this.database.reads, ids, CHANGES);
  }

  /** Stores a new one. Throws SilencingConflictError when there are too many. */
  create(said: SaidSilencing, by: Actor, now: number): Promise<Silencing> {
    return this.database.transaction(async (connection) => {
      await this.#checkRoom(connection, said.kind, now);
      const after = await insertSilencing(connection, said, by, now);
      await recordSilencing(connection, 'CREATED', { before: null, after, by, now });
      return after;
    });
  }

  /** Changes one; `change` makes what is said anew of what was said, and may refuse. */
  change(
    { kind, id, by, expectedVersion, now }: SilencingRequest,
    what: 'UPDATED' | 'ENDED',
    change: (before: Silencing) => SaidSilencing,
  ): Promise<Silencing> {
    return this.database.transaction(async (connection) => {
      const before = await lockSilencing(connection, kind, id);
      if (!before) throw new SilencingUnknownError(kind, id);
      const said = change(before);
      if (expectedVersion !== null && before.version !== expectedVersion) throw await conflict(connection, before, expectedVersion);
      const after = await updateSilencing(connection, id, said);
      await recordSilencing(connection, what, { before, after, by, now });
      return after;
    });
  }

  async #checkRoom(connection: Connection, kind: string, now: number): Promise<void> {
    await rows(connection, 'SELECT pg_advisory_xact_lock($1)', ADVISORY_LOCKS.silencing);
    const [row] = await rows<{ count: number }>(
      connection,
      `SELECT count(*)::integer AS count FROM silencing s WHERE s.kind = $1 AND (s.ends_at IS NULL OR s.ends_at > to_timestamp($2::float8 / 1000.0))`,
      kind,
      now,
    );
    if (row!.count < MOST) return;
    throw new SilencingConflictError(`There are ${MOST} of them already whose time is not over; end those that are not needed.`);
  }
}

async function conflict(connection: Connection, { id, version }: Silencing, expected: number): Promise<SilencingConflictError> {
  const meanwhile = await rows<{ kind: string; by: string; at: Date }>(
    connection,
    'SELECT a.kind, a.by, a.at FROM silencing_audit a WHERE a.silencing_id = $1 AND a.version > $2 ORDER BY a.id DESC LIMIT 5',
    id,
    expected,
  );
  const who = meanwhile.map(({ kind, by, at }) => `${kind.toLowerCase()} by ${by} at ${at.toISOString()}`).join(', ');
  return new SilencingConflictError(`It is at version ${version}, not ${expected}${who && `: ${who}`}. Read it again before changing it.`);
}
