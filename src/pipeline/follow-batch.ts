import type { Affected } from '../incidents/affected.js';
import { affectedKey, clearMark, endsBy } from '../incidents/affected.js';
import type { Signal } from '../incidents/delivery.js';
import type { Followed } from '../incidents/follow-affected.js';
import { followAnew, followOn } from '../incidents/follow-affected.js';
import { manualKey } from '../incidents/manual-end.js';
import type { Subject } from '../incidents/subject-of.js';
import { standsAlone } from '../incidents/subject-of.js';
import type { Mark } from '../incidents/timeline.js';
import { comesInOrder } from '../incidents/timeline.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import type { StoredAffected } from '../store/statements/find-affected.js';
import type { GatheredMarks, NewMarks } from './gather-marks.js';
import { groupBy } from './group-by.js';
import type { SeenAffected } from './seen-affected.js';
import { subjectsOfObjects } from './subjects-of-objects.js';
import type { AffectedChange } from './write-changes.js';

/** Everything that following a batch starts from. */
export interface Following {
  marks: GatheredMarks;
  seen: ReadonlyMap<string, SeenAffected>;
  /** Everything stored about the objects of the batch, by affected key. */
  affected: ReadonlyMap<string, StoredAffected>;
  /** Signals that this batch brought. */
  signals: readonly Signal[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** One affected object on the way to its change. */
interface Step {
  key: string;
  before: StoredAffected | undefined;
  seen: SeenAffected | undefined;
  marks: NewMarks | undefined;
  subject: Subject;
}

/** One that something came late for: nothing changes before `from`, milliseconds since the epoch. */
interface LateStep extends Step {
  before: StoredAffected;
  from: number;
}

/** Follows every affected object that the batch touches: by a sighting, by an ending, or by better knowledge of its owner. */
export async function followBatch(transaction: IntakeTransaction, following: Following): Promise<AffectedChange[]> {
  const { marks, seen, affected, signals, now } = following;
  const newSignals = groupBy(signals, ({ objectKey }) => objectKey);
  const subjects = subjectsOfObjects([...affected.values(), ...seen.values()]);
  const touched = new Set(marks.byAffected.keys());
  for (const row of affected.values()) {
    const ended = newSignals.get(row.objectKey)?.some((signal) => endsBy(row, signal));
    if (ended || !sameSubject(subjects.get(row.objectKey)!, row.subject)) touched.add(affectedKey(row));
  }
  const steps = [...touched].map((key): Step => {
    const before = affected.get(key);
    const seenNow = seen.get(key);
    return { key, before, seen: seenNow, marks: marks.byAffected.get(key), subject: subjects.get((seenNow ?? before)!.objectKey)! };
  });
  const later = groupBy(await transaction.findSignals(firstSightings(steps)), ({ objectKey }) => objectKey);

  const counted = new Set([...affected.values()].map(objectWithProblem));
  const changes: AffectedChange[] = [];
  const late: LateStep[] = [];
  for (const step of steps) {
    const { before } = step;
    const rules = rulesOf(step);
    const known = signalKeysOf(step).flatMap((signalKey) => later.get(signalKey) ?? []);
    const newMarks = marksOf(step, rules, newSignals.get(rules.objectKey) ?? [], known);
    const rewrittenFrom = step.marks?.rewrittenFrom ?? Infinity;
    if (before && (rewrittenFrom < Infinity || !comesInOrder(before.current, newMarks))) {
      const from = newMarks.reduce((first, mark) => Math.min(first, mark.kind === 'sighting' ? mark.since : mark.at), rewrittenFrom);
      late.push({ ...step, before, from });
      continue;
    }
    const followed = followOn(before?.current, newMarks, rules.ending, now);
    if (!followed) continue;
    const change = changeOf(step, rules, followed);
    const object = objectWithProblem(change.after);
    changes.push({ ...change, newObject: !counted.has(object) });
    counted.add(object);
  }
  return [...changes, ...(await followLate(transaction, late, now))];
}

/** For each object the moment of its first new sighting: signals about it and ends of its incident from then on concern it. */
function firstSightings(steps: readonly Step[]): { objectKey: string; at: number }[] {
  return signalsFrom(
    steps.flatMap((step) => {
      const sightings = step.marks?.sightings ?? [];
      return sightings.length === 0 ? [] : [{ step, at: sightings.reduce((first, { at }) => Math.min(first, at), Infinity) }];
    }),
  );
}

/** Which signals concern affected objects from a moment on: about each object, and what people said of its incident. */
function signalsFrom(list: readonly { step: Step; at: number }[]): { objectKey: string; at: number }[] {
  const first = new Map<string, number>();
  for (const { step, at } of list) {
    for (const key of signalKeysOf(step)) first.set(key, Math.min(first.get(key) ?? Infinity, at));
  }
  return [...first].map(([objectKey, at]) => ({ objectKey, at }));
}

/**
 * What the signals are stored under that concern an affected object. People may have ended it as an incident of its own, when nobody
 * knew its owner: no other object was ever in that one.
 */
function signalKeysOf({ seen, before, subject }: Step): string[] {
  const { objectKey } = (seen ?? before)!;
  const problemId = before?.problemId ?? seen!.sighted.id;
  const keys = [objectKey, manualKey(problemId, subject.key)];
  if (subject.key !== objectKey && standsAlone(before ?? seen!.object)) keys.push(manualKey(problemId, objectKey));
  return keys;
}

/**
 * Follows affected objects of an incident anew from a moment on, after marks about it were stored or taken back. Gives what
 * following would have given had the marks been there from the beginning, or never.
 */
export function followAgain(
  transaction: IntakeTransaction,
  list: readonly StoredAffected[],
  from: number,
  now: number,
): Promise<AffectedChange[]> {
  const steps = list.map((before) => {
    return { key: affectedKey(before), before, seen: undefined, marks: undefined, subject: before.subject, from };
  });
  return followLate(transaction, steps, now);
}

/** What is new about one affected object: its sightings, new signals, and known signals that lie after its new sightings. */
function marksOf({ marks }: Step, rules: Rules, fresh: readonly Signal[], known: readonly Signal[]): Mark[] {
  const sightings = marks?.sightings ?? [];
  const from = sightings.reduce((first, { at }) => Math.min(first, at), Infinity);
  const signals = [...fresh, ...known.filter(({ at }) => at >= from)].filter((signal) => endsBy(rules, signal));
  return [...sightings.map(({ at, since }): Mark => ({ kind: 'sighting', at, since })), ...signals.map(clearMark)];
}

/** Derives periods of affected objects anew that something came late for. Their new sightings are stored already. */
async function followLate(transaction: IntakeTransaction, late: readonly LateStep[], now: number): Promise<AffectedChange[]> {
  const histories = await transaction.findAffectedHistory(late.map(({ before: { id }, from }) => ({ id, from })));
  const starts = late.map((step) => {
    const { id, current } = step.before;
    const { cut, past, sightings } = histories.get(id)!;
    const moments = cut === null ? [...past.map(({ startedAt }) => startedAt), ...sightings.map(({ at }) => at)] : [];
    return { step, at: moments.reduce((a, b) => Math.min(a, b), cut ?? current.startedAt) };
  });
  const signals = groupBy(await transaction.findSignals(signalsFrom(starts)), ({ objectKey }) => objectKey);
  return late.map((step, i) => {
    const rules = rulesOf(step);
    const known = signalKeysOf(step)
      .flatMap((key) => signals.get(key) ?? [])
      .filter((signal) => signal.at >= starts[i]!.at && endsBy(rules, signal));
    return changeOf(step, rules, followAnew(step.before.current, histories.get(step.before.id)!, known.map(clearMark), rules.ending, now));
  });
}

type Rules = Pick<Affected, 'objectKey' | 'container' | 'expects' | 'ending'>;

/** How it ends is said by the knowledge of today where the batch saw it, else by what is stored. */
function rulesOf({ seen, before }: Step): Rules {
  if (!seen) return before!;
  const { container, expects, ending } = seen.sighted;
  return { objectKey: seen.objectKey, container, expects, ending };
}

function changeOf({ key, before, seen, marks, subject }: Step, rules: Rules, followed: Followed): AffectedChange {
  const { objectKey, container, expects, ending } = rules;
  const { kind, namespace, name } = before ?? seen!.object;
  const after: Affected = {
    objectKey,
    container,
    expects,
    ending,
    kind,
    namespace,
    name,
    subject,
    problemId: before?.problemId ?? seen!.sighted.id,
    occurrences: (before?.occurrences ?? 0) + (marks?.occurrences ?? 0),
    firstAt: (marks?.sightings ?? []).reduce((first, { at }) => Math.min(first, at), before?.firstAt ?? Infinity),
    current: followed.current,
  };
  return { key, before, seen, marks, followed, after, newObject: false };
}

function objectWithProblem({ objectKey, problemId }: Pick<Affected, 'objectKey' | 'problemId'>): string {
  return `${objectKey}|${problemId}`;
}

function sameSubject(a: Subject, b: Subject): boolean {
  return a.key === b.key && a.rank === b.rank && a.kind === b.kind;
}
