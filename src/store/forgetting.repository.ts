import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import type { CellMinutes } from './queries/cell-pieces.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import { CELL_TABLES, dropCells } from './statements/drop-cells.js';
import { forgetAffected } from './statements/forget-affected.js';
import { forgetIncidents } from './statements/forget-incidents.js';
import { lockCluster } from './statements/lock-cluster.js';
import { ADVISORY_LOCKS } from './advisory-locks.js';

/** Before when things may go: ISO times; undefined for never. */
export interface Cutoffs {
  quarters: string | undefined;
  hours: string | undefined;
  affected: string | undefined;
  incidents: string | undefined;
}

/** Rows of one transaction: a few hundredths of a second, in which the cluster's events wait. */
const CHUNK = 1000;

/** Deletes what is older than it is to be kept and is no raw data, in steps of one short transaction that holds its cluster. */
@Injectable()
export class ForgettingRepository {
  constructor(private readonly database: Database) {}

  /** Clusters that are not being removed. */
  async clusters(): Promise<number[]> {
    const found = await this.database.rows<{ id: number }>('SELECT c.id FROM cluster c WHERE c.removing_at IS NULL ORDER BY c.id');
    return found.map(({ id }) => id);
  }

  /** The database's clock, milliseconds since the epoch. */
  async now(): Promise<number> {
    const [clock] = await this.database.rows<{ now: number }>('SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS now');
    return clock!.now;
  }

  /** Notes from when on cells are kept, before any is deleted: whoever reads the cells first and this note then misses nothing unnoticed. */
  async noteKept({ quarters, hours }: Cutoffs): Promise<void> {
    const notes: [CellMinutes, string | undefined][] = [
      [15, quarters],
      [60, hours],
    ];
    for (const [minutes, from] of notes) {
      if (from === undefined) continue;
      await this.database.rows(
        `INSERT INTO rollup_kept AS k (minutes, kept_from) VALUES ($1, $2::timestamptz)
         ON CONFLICT (minutes) DO UPDATE SET kept_from = EXCLUDED.kept_from WHERE k.kept_from < EXCLUDED.kept_from`,
        minutes,
        from,
      );
    }
  }

  /** Deletes some rows of a cluster. Returns how many; 0 when nothing is left, the cluster is going, or another process is at it. */
  step(clusterId: number, cutoffs: Cutoffs, chunk: number = CHUNK): Promise<number> {
    return this.database.transaction(async (connection) => {
      const [lock] = await rows<{ taken: boolean }>(connection, 'SELECT pg_try_advisory_xact_lock($1) AS taken', ADVISORY_LOCKS.forgetting);
      if (!lock!.taken || !(await lockCluster(connection, clusterId, false))) return 0;
      return forgetSome(connection, clusterId, cutoffs, chunk);
    });
  }
}

async function forgetSome(connection: Connection, clusterId: number, cutoffs: Cutoffs, chunk: number): Promise<number> {
  const { quarters, hours, affected, incidents } = cutoffs;
  if (affected !== undefined) {
    const count = await forgetAffected(connection, clusterId, affected, chunk);
    if (count > 0) return count;
  }
  if (incidents !== undefined) {
    const count = await forgetIncidents(connection, clusterId, incidents, chunk);
    if (count > 0) return count;
  }
  for (const [minutes, before] of [[15, quarters] as const, [60, hours] as const]) {
    if (before === undefined) continue;
    for (const table of CELL_TABLES) {
      const count = await dropCells(connection, clusterId, { table, minutes, before, limit: chunk });
      if (count > 0) return count;
    }
  }
  return 0;
}
