import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { IncidentRepository } from '../store/incident.repository.js';
import { IntakeRepository } from '../store/intake.repository.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import type { IncidentRecord } from '../store/queries/incident-columns.js';
import type { IncidentWorkRecord } from '../store/statements/find-work.js';
import type { Actor, WorkKind, WorkState } from '../store/statements/record-work.js';
import { describeConflict } from './describe-conflict.js';
import { endByHand, openByHand, takeBackEnd } from './mark-by-hand.js';
import { IncidentConflictError, IncidentUnknownError } from './work-errors.js';

/** Who changes an incident, and which version of it they have seen. */
export interface WorkRequest {
  /** Id of the incident, a UUID. */
  id: string;
  scope: Scope;
  by: Actor;
  /** The change is refused when the incident is at another version; null to change it however it stands. */
  expectedVersion: number | null;
}

/** Does one thing to an incident; returns the moment to write down, when it is not now. Milliseconds since the epoch. */
type Work = (transaction: IntakeTransaction, incident: IncidentWorkRecord) => Promise<number | undefined>;

const MEANWHILE = 5;

/**
 * What people do with incidents. Each change holds the cluster as a batch does, and is written down with who made it. Ends and
 * openings are marks that incidents are derived from, so that events which come late change no person's word. Each gives the incident
 * as it is then.
 */
@Injectable()
export class IncidentWork {
  constructor(
    private readonly intake: IntakeRepository,
    private readonly incidents: IncidentRepository,
  ) {}

  /** Takes an incident in hand. Doing it again puts the caller in the place of who did it before. */
  acknowledge(request: WorkRequest): Promise<IncidentRecord> {
    return this.#change(request, 'ACKNOWLEDGED', null, async (transaction, incident) => {
      if (incident.status === 'resolved') throw new IncidentConflictError(`The incident is resolved; there is nothing to acknowledge.`);
      // A sender's clock may be ahead of ours: the acknowledgement is of the episode that is open.
      const at = Math.max(transaction.now, incident.startedAt);
      await transaction.setAcknowledged(incident.id, { at, by: request.by.name });
      // It stays acknowledged; only who did it is another.
      if (incident.status === 'acknowledged') await transaction.noteIncidentChanges([{ incidentId: incident.id, kind: 'ACKNOWLEDGED' }]);
      return undefined;
    });
  }

  /** Takes the acknowledgement of an incident back. */
  unacknowledge(request: WorkRequest): Promise<IncidentRecord> {
    return this.#change(request, 'UNACKNOWLEDGED', null, async (transaction, incident) => {
      if (incident.status !== 'acknowledged')
        throw new IncidentConflictError(`The incident is ${incident.status}; it has no acknowledgement to take back.`);
      await transaction.setAcknowledged(incident.id, null);
      return undefined;
    });
  }

  /** Says who works on an incident; null for nobody. */
  assign(request: WorkRequest, assignee: string | null): Promise<IncidentRecord> {
    return this.#change(request, 'ASSIGNED', null, async (transaction, { id }) => {
      await transaction.setAssignee(id, assignee);
      await transaction.noteIncidentChanges([{ incidentId: id, kind: 'ASSIGNED' }]);
      return undefined;
    });
  }

  /** Writes a comment. */
  comment(request: WorkRequest, text: string): Promise<IncidentRecord> {
    return this.#change(request, 'COMMENTED', text, async (transaction, { id }) => {
      await transaction.noteIncidentChanges([{ incidentId: id, kind: 'COMMENTED' }]);
      return undefined;
    });
  }

  /** Ends an incident on all its objects. What happened before and is heard later does not reopen it, what happens later does. */
  resolve(request: WorkRequest, reason: string | null): Promise<IncidentRecord> {
    return this.#change(request, 'RESOLVED', reason, async (transaction, incident) => {
      if (incident.status === 'resolved') throw new IncidentConflictError(`The incident is resolved already, by ${incident.resolvedBy}.`);
      const at = Math.max(transaction.now, incident.lastSeenAt);
      await endByHand(transaction, incident, at, transaction.now);
      return at;
    });
  }

  /** Opens a resolved incident: a person's end is taken back; if another end holds, a new episode begins now. */
  reopen(request: WorkRequest): Promise<IncidentRecord> {
    return this.#change(request, 'REOPENED', null, async (transaction, incident) => {
      if (incident.status !== 'resolved')
        throw new IncidentConflictError(`The incident is ${incident.status}; only a resolved one can be reopened.`);
      let ended = incident;
      if (incident.resolvedBy === 'MANUAL') {
        await takeBackEnd(transaction, incident, incident.resolvedAt!, transaction.now);
        ended = (await transaction.findWork(incident.id))!;
        if (ended.status !== 'resolved') return undefined;
      }
      const at = Math.max(transaction.now, (ended.resolvedAt ?? 0) + 1, ended.lastSeenAt + 1);
      await openByHand(transaction, ended, at, transaction.now);
      return at;
    });
  }

  async #change({ id, scope, by, expectedVersion }: WorkRequest, kind: WorkKind, note: string | null, work: Work): Promise<IncidentRecord> {
    const seen = await this.incidents.find(id, scope);
    if (!seen) throw new IncidentUnknownError(id);
    return this.intake.transaction(
      seen.clusterId,
      async (transaction) => {
        const before = await transaction.findWork(id);
        if (!before) throw new IncidentUnknownError(id);
        if (expectedVersion !== null && before.version !== expectedVersion) {
          const meanwhile = await transaction.findWorkSince(id, expectedVersion, MEANWHILE);
          throw new IncidentConflictError(describeConflict(before, expectedVersion, meanwhile));
        }
        const at = (await work(transaction, before)) ?? transaction.now;
        const after = (await transaction.findWork(id))!;
        await transaction.recordWork({ incidentId: id, at, kind, by, note, before: stateOf(before), after: stateOf(after) });
        // Read before the change is done: an answer that failed afterwards would have the caller do it twice.
        const changed = await transaction.findIncident(id, scope);
        if (!changed) throw new IncidentUnknownError(id);
        return changed;
      },
      { heard: false },
    );
  }
}

function stateOf({ status, acknowledgedBy, assignee }: IncidentWorkRecord): WorkState {
  return { status, acknowledgedBy: status === 'acknowledged' ? acknowledgedBy : null, assignee };
}
