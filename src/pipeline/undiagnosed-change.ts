import type { EventUpdate } from '../incidents/observe.js';
import { patternOf } from '../matching/message-pattern.js';
import { redactSecrets } from '../platform/redact-secrets.js';
import type { StoredEventKey } from '../store/statements/find-event-keys.js';
import type { UndiagnosedCell, UndiagnosedChange } from '../store/statements/count-undiagnosed.js';

/** Text of a message that is looked at, and of a sample that is kept, in characters. */
const LONGEST_TEXT = 4096;
const LONGEST_SAMPLE = 1000;

/** An event of a pattern as it is kept to be shown. */
export interface UndiagnosedSample {
  /** Without secrets, at most 1,000 characters. */
  message: string;
  type: string;
  name: string;
  container: string;
  /** When it was last seen, milliseconds since the epoch. */
  at: number;
}

/** What a batch changes in the counts of what nothing explains, and the hash of the pattern of each of its Events, by uid. */
export interface FoundUndiagnosed {
  patternOfUid: Map<string, string>;
  change: UndiagnosedChange;
}

/**
 * Counts each Event with its whole count under the pattern, and on the day, of the delivery that it is remembered by, and takes back
 * what it was counted as before. So the sums depend on what was sent and not on its order or repeats; an Event that a problem explains
 * in the end is counted by its incident alone.
 */
export function undiagnosedChange(updates: readonly EventUpdate[], keys: ReadonlyMap<string, StoredEventKey>): FoundUndiagnosed {
  const patternOfUid = new Map<string, string>();
  const change: UndiagnosedChange = { patterns: [], cells: [], taken: [] };
  const known = new Set<string>();
  const cells = new Map<string, UndiagnosedCell>();
  for (const { uid, newest } of updates) {
    if (!newest) continue;
    const { event } = newest;
    const { namespace, name, container } = event.object;
    const key = keys.get(uid);
    if (key && key.patternId !== null)
      change.taken.push({ patternId: key.patternId, namespace, day: dayOf(key.lastAt), occurrences: key.count });
    if (!newest.unexplained) continue;

    const message = redactSecrets(event.message.slice(0, LONGEST_TEXT).toWellFormed());
    const { id: hash, ...pattern } = patternOf(event, message);
    patternOfUid.set(uid, hash);
    if (!known.has(hash)) {
      known.add(hash);
      change.patterns.push({ hash, ...pattern });
    }
    const day = dayOf(event.lastAt);
    const cellKey = `${hash} ${day} ${namespace}`;
    const cell = cells.get(cellKey);
    if (cell) {
      cell.occurrences += event.count;
      cell.events++;
      cell.firstAt = Math.min(cell.firstAt, event.firstAt);
      cell.lastAt = Math.max(cell.lastAt, event.lastAt);
      continue;
    }
    const sample: UndiagnosedSample = {
      message: message.slice(0, LONGEST_SAMPLE).toWellFormed(),
      type: event.type,
      name,
      container,
      at: event.lastAt,
    };
    const { count: occurrences, firstAt, lastAt } = event;
    cells.set(cellKey, { hash, namespace, day, occurrences, events: 1, firstAt, lastAt, sample: JSON.stringify(sample) });
  }
  change.cells.push(...cells.values());
  return { patternOfUid, change };
}

/** Years beyond 9999 have no place in a date. */
const LAST_DAY = Date.UTC(9999, 11, 31);

function dayOf(at: number): string {
  return new Date(Math.min(Math.max(0, at), LAST_DAY)).toISOString().slice(0, 10);
}
