import type { Told, ToldKind } from '../store/webhook.js';

/** What has happened to an incident. */
export interface Happening {
  kind: string;
  status: string;
  /** Whether the severity has changed. */
  escalated: boolean;
}

/** How things stand for a webhook at the moment of deciding. */
export interface Standing {
  /** Whether the webhook's filter holds the incident. */
  wanted: boolean;
  /** Whether a silence or a maintenance window covers it. */
  silenced: boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** What the settings of a webhook say about waiting, milliseconds. */
export interface Patience {
  kinds: readonly ToldKind[];
  hold: number;
  flap: number;
}

/** What the receiver believes from now on, and what it is told. */
export interface ToldDecision {
  told: Told | undefined;
  tell: ToldKind | undefined;
  /** Why nothing is told, or what is. */
  reason: string;
}

/** A silenced failure is looked at again after this, milliseconds: it is told if it outlasts its silence. */
export const SILENCE_RECHECK = 60_000;

/**
 * Decides what a receiver is told of a happening. A failure is told when it has lasted as long as the hold time; one that is back soon
 * after its recovery was told, when it has outlasted the flap time; one that is silenced, when it outlasts the silence. A recovery is
 * told to whoever was told of the failure, whatever the filter and the silences say by then. Other changes are told of failures that were.
 */
export function decideTold(told: Told | undefined, happening: Happening, standing: Standing, patience: Patience): ToldDecision {
  if (happening.status === 'resolved') return decideEnd(told, happening.kind, standing.now, patience);
  if (told?.state === 'held') return { told, tell: undefined, reason: 'the failure is held already' };
  if (told?.state === 'told') return decideNews(told, happening, patience);
  return decideFailure(told, happening, standing, patience);
}

/** Decides about a failure that was held for as long as was meant. */
export function decideDue(told: Told, status: string | undefined, standing: Standing, patience: Patience): ToldDecision {
  if (status === undefined || status === 'resolved') return decideEnd(told, 'RESOLVED', standing.now, patience);
  if (!standing.wanted) return { told: asBefore(told), tell: undefined, reason: 'the filter leaves it out by now' };
  if (standing.silenced) {
    return { told: { ...told, dueAt: standing.now + SILENCE_RECHECK }, tell: undefined, reason: 'the failure is silenced' };
  }
  return { told: { ...told, state: 'told', dueAt: null }, tell: told.kind, reason: 'the failure has lasted' };
}

function decideEnd(told: Told | undefined, kind: string, now: number, { kinds }: Patience): ToldDecision {
  if (!told) return { told, tell: undefined, reason: 'the failure was never told' };
  if (told.state === 'held') {
    return { told: asBefore(told), tell: undefined, reason: 'the failure ended while it was held' };
  }
  if (told.state === 'recovered') {
    const tell = kindOf(kind, kinds, ['COMMENTED', 'ASSIGNED']);
    return { told, tell, reason: tell ? 'the receiver knows the incident' : 'the recovery is told already' };
  }
  const after: Told = { ...told, state: 'recovered', recoveredAt: now };
  if (kind !== 'RESOLVED') return { told, tell: undefined, reason: 'the recovery comes by itself' };
  if (!kinds.includes('RESOLVED')) return { told: after, tell: undefined, reason: 'recoveries are not wanted' };
  return { told: after, tell: 'RESOLVED', reason: 'the failure was told' };
}

/** What the receiver believed before a failure was held. */
function asBefore(told: Told): Told | undefined {
  return told.recoveredAt === null ? undefined : { ...told, state: 'recovered', dueAt: null };
}

function decideNews(told: Told, { kind }: Happening, { kinds }: Patience): ToldDecision {
  const tell = kindOf(kind, kinds, ['ACKNOWLEDGED', 'ASSIGNED', 'COMMENTED', 'UPDATED']);
  return { told, tell, reason: tell ? 'the failure was told' : 'this kind of change is not wanted' };
}

function decideFailure(told: Told | undefined, { kind, escalated }: Happening, standing: Standing, patience: Patience): ToldDecision {
  // What comes to be wanted by its severity is a failure that nobody was told of.
  const failure = kind === 'UPDATED' && escalated ? 'OPENED' : kindOf(kind, patience.kinds, ['OPENED', 'REOPENED']);
  if (!failure || !patience.kinds.includes(failure)) return { told, tell: undefined, reason: 'this kind of change is not wanted' };
  if (!standing.wanted) return { told, tell: undefined, reason: 'the filter leaves it out' };
  const recoveredAt = told?.recoveredAt ?? null;
  const begun: Told = { state: 'told', kind: failure, dueAt: null, recoveredAt, deliveryId: null, counted: false };
  const { now } = standing;
  const dueAt = Math.max(
    now + patience.hold,
    recoveredAt === null ? 0 : recoveredAt + patience.flap,
    standing.silenced ? now + SILENCE_RECHECK : 0,
  );
  if (dueAt <= now) return { told: begun, tell: failure, reason: 'the failure is new' };
  return {
    told: { ...begun, state: 'held', dueAt },
    tell: undefined,
    reason: standing.silenced ? 'the failure is silenced' : 'the failure may end soon',
  };
}

function kindOf(kind: string, wanted: readonly ToldKind[], possible: readonly ToldKind[]): ToldKind | undefined {
  return possible.find((each) => each === kind && wanted.includes(each));
}
