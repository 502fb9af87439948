import { Injectable } from '@nestjs/common';
import { Database } from './database.service.js';
import type { CellMinutes } from './queries/cell-pieces.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import { CELL_TABLES, dropCells, dropCellsEverywhere } from './statements/drop-cells.js';
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
  async noteKept(cutoffs: Cutoffs): Promise<void> {
    for (const [minutes, from] of finerCells(cutoffs)) {
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

  /** Deletes some sums over all clusters. Returns how many; 0 when nothing is left, or another process makes or drops some. */
  stepEverywhere(cutoffs: Cutoffs, chunk: number = CHUNK): Promise<number> {
    return this.database.transaction(async (connection) => {
      const [lock] = await rows<{ taken: boolean }>(connection, 'SELECT pg_try_advisory_xact_lock($1) AS taken', ADVISORY_LOCKS.everywhere);
      if (!lock!.taken) return 0;
      for (const [minutes, before] of finerCells(cutoffs)) {
        const count = await dropCellsEverywhere(connection, { minutes, before, limit: chunk });
        if (count > 0) return count;
      }
      return 0;
    });
  }
}

async function forgetSome(connection: Connection, clusterId: number, cutoffs: Cutoffs, chunk: number): Promise<number> {
  const { affected, incidents } = cutoffs;
  if (affected !== undefined) {
    const count = await forgetAffected(connection, clusterId, affected, chunk);
    if (count > 0) return count;
  }
  if (incidents !== undefined) {
    const count = await forgetIncidents(connection, clusterId, incidents, chunk);
    if (count > 0) return count;
  }
  for (const [minutes, before] of finerCells(cutoffs)) {
    for (const table of CELL_TABLES) {
      const count = await dropCells(connection, clusterId, { table, minutes, before, limit: chunk });
      if (count > 0) return count;
    }
  }
  return 0;
}

/** Lengths of the cells that are not kept for ever, each with the moment before which they go. */
function finerCells({ quarters, hours }: Cutoffs): [CellMinutes, string][] {
  return [
    ...(quarters === undefined ? [] : [[15, quarters] as [CellMinutes, string]]),
    ...(hours === undefined ? [] : [[60, hours] as [CellMinutes, string]]),
  ];
}
