import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { findIncident } from './queries/find-incidents.js';
import type { IncidentRecord } from './queries/incident-columns.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import { Database } from './database.service.js';
import { addRollups } from './statements/add-rollups.js';
import { countMinute } from './statements/count-minute.js';
import { countUndiagnosed } from './statements/count-undiagnosed.js';
import { ensureIncidents } from './statements/ensure-incidents.js';
import { findAffected, findQuiet, findReaching } from './statements/find-affected.js';
import { findAffectedHistory } from './statements/find-affected-history.js';
import { findEventKeys } from './statements/find-event-keys.js';
import { findEventSightings } from './statements/find-event-sightings.js';
import { findHeardAfter } from './statements/find-heard-after.js';
import { findIncidentHeads } from './statements/find-incident-heads.js';
import { findSignals } from './statements/find-signals.js';
import { findWork } from './statements/find-work.js';
import { forgetSightings } from './statements/forget-sightings.js';
import { insertSignals } from './statements/insert-signals.js';
import type { LockedCluster } from './statements/lock-cluster.js';
import { lockCluster } from './statements/lock-cluster.js';
import { markSilence } from './statements/mark-silence.js';
import { completeMoves } from './statements/move-affected.js';
import { noteIncidentChanges } from './statements/note-incident-changes.js';
import { findWorkSince, recordWork } from './statements/record-work.js';
import { refreshEpisodes } from './statements/refresh-episodes.js';
import { removeSignals } from './statements/remove-signals.js';
import { setAcknowledged } from './statements/set-acknowledged.js';
import { setAssignee } from './statements/set-assignee.js';
import { updateIncidents } from './statements/update-incidents.js';
import { upsertAffected } from './statements/upsert-affected.js';
import { upsertEvents } from './statements/upsert-events.js';
import { upsertSightings } from './statements/upsert-sightings.js';
import { writeIntervals } from './statements/write-intervals.js';

type Bound<F> = F extends (connection: Connection, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;
type BoundToCluster<F> = F extends (connection: Connection, clusterId: number, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** One transaction over one cluster. Every call is one statement over a whole batch; an empty list costs nothing. */
export interface IntakeTransaction extends LockedCluster {
  findEventKeys: BoundToCluster<typeof findEventKeys>;
  findEventSightings: BoundToCluster<typeof findEventSightings>;
  forgetSightings: BoundToCluster<typeof forgetSightings>;
  findAffected: BoundToCluster<typeof findAffected>;
  findQuiet: BoundToCluster<typeof findQuiet>;
  findAffectedHistory: Bound<typeof findAffectedHistory>;
  findIncidentHeads: Bound<typeof findIncidentHeads>;
  findSignals: BoundToCluster<typeof findSignals>;
  insertSignals: BoundToCluster<typeof insertSignals>;
  ensureIncidents: BoundToCluster<typeof ensureIncidents>;
  updateIncidents: Bound<typeof updateIncidents>;
  upsertAffected: BoundToCluster<typeof upsertAffected>;
  writeIntervals: Bound<typeof writeIntervals>;
  upsertSightings: BoundToCluster<typeof upsertSightings>;
  upsertEvents: BoundToCluster<typeof upsertEvents>;
  addRollups: BoundToCluster<typeof addRollups>;
  refreshEpisodes: Bound<typeof refreshEpisodes>;
  completeMoves: BoundToCluster<typeof completeMoves>;
  countMinute: BoundToCluster<typeof countMinute>;
  countUndiagnosed: BoundToCluster<typeof countUndiagnosed>;
  heardAfter: BoundToCluster<typeof findHeardAfter>;
  markSilence: BoundToCluster<typeof markSilence>;
  findWork: BoundToCluster<typeof findWork>;
  /** An incident as callers are shown it; undefined also when it lies outside the scope. */
  findIncident(id: string, scope: Scope): Promise<IncidentRecord | undefined>;
  findReaching: Bound<typeof findReaching>;
  findWorkSince: Bound<typeof findWorkSince>;
  recordWork: BoundToCluster<typeof recordWork>;
  removeSignals: BoundToCluster<typeof removeSignals>;
  setAcknowledged: Bound<typeof setAcknowledged>;
  setAssignee: Bound<typeof setAssignee>;
  noteIncidentChanges: Bound<typeof noteIncidentChanges>;
}

/** The cluster that a batch is for has been removed meanwhile. */
export class ClusterGoneError extends Error {
  readonly code = 'CLUSTER_GONE';
  constructor(readonly clusterId: number) {
    super('the cluster was removed while its events were being stored');
  }
}

/** Writes batches: all of a batch or nothing, one writer per cluster at a time. */
@Injectable()
export class IntakeRepository {
  constructor(private readonly database: Database) {}

  /**
   * Runs `work` in one transaction that holds the cluster; it is durable when the promise resolves. `heard: false` for
   * work of our own, which is no sign of life of the cluster.
   *
   * @throws ClusterGoneError when the cluster was removed
   */
  transaction<T>(clusterId: number, work: (transaction: IntakeTransaction) => Promise<T>, { heard = true } = {}): Promise<T> {
    return this.database.transaction(async (connection) => {
      const locked = await lockCluster(connection, clusterId, heard);
      if (locked === undefined) throw new ClusterGoneError(clusterId);
      return work(bind(connection, clusterId, locked));
    });
  }

  /** Clusters in which silence has ended something by `now`, milliseconds since the epoch; null for the database's clock. */
  async clustersWithQuiet(now: number | null = null): Promise<number[]> {
    const found = await this.database.rows<{ cluster_id: number }>(
      `SELECT DISTINCT a.cluster_id FROM affected a WHERE a.quiet_at <= COALESCE(to_timestamp($1::float8 / 1000.0), now())
         AND a.cluster_id NOT IN (SELECT c.id FROM cluster c WHERE c.removing_at IS NOT NULL)`,
      now,
    );
    return found.map((row) => row.cluster_id);
  }
}

// Every list may be empty, and then costs no round trip.
function bind(connection: Connection, clusterId: number, locked: LockedCluster): IntakeTransaction {
  return {
    ...locked,
    findEventKeys: async (uids) => (uids.length ? findEventKeys(connection, clusterId, uids) : new Map()),
    findEventSightings: async (uids) => (uids.length ? findEventSightings(connection, clusterId, uids) : new Map()),
    forgetSightings: async (list) => (list.length ? forgetSightings(connection, clusterId, list) : undefined),
    findAffected: async (keys) => (keys.length ? findAffected(connection, clusterId, keys) : []),
    findQuiet: (at, limit) => findQuiet(connection, clusterId, at, limit),
    findAffectedHistory: async (ids) => (ids.length ? findAffectedHistory(connection, ids) : new Map()),
    findIncidentHeads: async (ids) => (ids.length ? findIncidentHeads(connection, ids) : new Map()),
    findSignals: async (from) => (from.length ? findSignals(connection, clusterId, from) : []),
    insertSignals: async (signals) => (signals.length ? insertSignals(connection, clusterId, signals) : []),
    ensureIncidents: async (incidents) => (incidents.length ? ensureIncidents(connection, clusterId, incidents) : new Map()),
    updateIncidents: async (deltas) => (deltas.length ? updateIncidents(connection, deltas) : undefined),
    upsertAffected: async (list) => (list.length ? upsertAffected(connection, clusterId, list) : new Map()),
    writeIntervals: async (list) => (list.length ? writeIntervals(connection, list) : undefined),
    upsertSightings: async (list) => (list.length ? upsertSightings(connection, clusterId, list) : undefined),
    upsertEvents: async (list) => (list.length ? upsertEvents(connection, clusterId, list) : undefined),
    addRollups: async (deltas) => (deltas.length ? addRollups(connection, clusterId, deltas) : undefined),
    refreshEpisodes: async (changed) => (changed.length ? refreshEpisodes(connection, changed) : []),
    completeMoves: async (moves) => (moves.length ? completeMoves(connection, clusterId, moves) : undefined),
    countUndiagnosed: async (change) =>
      change.cells.length || change.taken.length ? countUndiagnosed(connection, clusterId, change) : new Map(),
    countMinute: (batch) => countMinute(connection, clusterId, batch),
    heardAfter: (since) => findHeardAfter(connection, clusterId, since),
    markSilence: (silence) => markSilence(connection, clusterId, silence),
    findWork: (id) => findWork(connection, clusterId, id),
    findIncident: (id, scope) => findIncident({ rows: (sql, ...params) => rows(connection, sql, ...params) }, id, scope),
    findReaching: (id, at) => findReaching(connection, id, at),
    findWorkSince: (id, version, limit) => findWorkSince(connection, id, version, limit),
    recordWork: (entry) => recordWork(connection, clusterId, entry),
    removeSignals: async (keys, of) => (keys.length ? removeSignals(connection, clusterId, keys, of) : undefined),
    setAcknowledged: (id, acknowledged) => setAcknowledged(connection, id, acknowledged),
    setAssignee: (id, assignee) => setAssignee(connection, id, assignee),
    noteIncidentChanges: async (changes) => (changes.length ? noteIncidentChanges(connection, changes) : undefined),
  };
}
