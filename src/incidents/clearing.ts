import type { AlertState, ClusterEvent } from '../events/cluster-event.js';
import type { ClearingEvent } from '../knowledge/problem-file.js';
import type { Problem } from '../knowledge/problem.js';
import type { CompiledTemplate } from '../matching/compile-template.js';
import { compileTemplate } from '../matching/compile-template.js';
import { matchTemplate } from '../matching/match-template.js';
import type { NameList } from '../matching/name-list.js';
import { acceptsName, compileNames } from '../matching/name-list.js';
import { squeezeText } from '../matching/squeeze-text.js';
import type { Signal } from './delivery.js';
import { GONE } from './delivery.js';
import { keyOf, objectKey, shortKey } from './object-key.js';

/** Everything that ends some problem, ready to be found in events. */
export interface Clearing {
  /** By reason in lower case: the kinds of object on which it ends something. */
  byReason: ReadonlyMap<string, Kinds>;
  rest: readonly CompiledClearing[];
}

type Kinds = ReadonlySet<string>;

interface CompiledClearing {
  token: string;
  kinds: Set<string>;
  /** True when it ends something of a container, and not of the whole object. */
  ofContainer: boolean;
  reason?: string;
  type?: string;
  message?: CompiledTemplate;
  reporters?: NameList;
}

/** Collects what ends the problems of a knowledge base. */
export function compileClearing(problems: Iterable<Problem>): Clearing {
  const byReason = new Map<string, Set<string>>();
  const rest = new Map<string, CompiledClearing>();
  for (const problem of problems) {
    for (const on of clearingEvents(problem)) {
      const token = tokenOf(on);
      if (typeof on === 'string') byReason.set(token, withKinds(byReason.get(token), problem));
      else {
        const known = rest.get(token) ?? { ...compileOne(on), token, kinds: new Set<string>(), ofContainer: false };
        known.kinds = withKinds(known.kinds, problem);
        known.ofContainer ||= problem.scope === 'container';
        rest.set(token, known);
      }
    }
  }
  return { byReason, rest: [...rest.values()] };
}

/** Tokens that end a problem, with what was captured when it was seen put into those that ask for it. */
export function expectedTokens(problem: Problem, captured: Readonly<Record<string, string>>): string[] {
  return clearingEvents(problem).map((on) => filled(tokenOf(on), captured));
}

/**
 * What tells two failures of one object and problem apart, because each ends by its own event: the captured names in what
 * ends it, such as a Node's condition. Empty for most problems.
 */
export function distinguishingCaptures(problem: Problem, captured: Readonly<Record<string, string>>): string {
  const names = clearingEvents(problem).flatMap((on) => [...tokenOf(on).matchAll(PLACEHOLDER)].map(([, name]) => name!));
  return shortKey(
    [...new Set(names)]
      .map((name) => captured[name] ?? '')
      .join(' ')
      .trim(),
    LONGEST_TOKEN,
  );
}

/** What an event announces to have ended for its object, or for the Pod that it says was deleted. */
export function signalsOf(event: ClusterEvent, showsProblem: boolean, clearing: Clearing): Signal[] {
  // Of an object without a name nobody knows which one it is: its success may be another's than the failure.
  if (event.object.kind !== '' && event.object.name === '') return [];
  const found = tokensOf(event, showsProblem, clearing);
  const times = event.count > 1 && event.firstAt < event.lastAt ? [event.firstAt, event.lastAt] : [event.lastAt];
  const key = objectKey(event);
  const signals = found.flatMap(({ token, container }) => times.map((at): Signal => ({ objectKey: key, container, token, at })));
  if (event.alert?.resolved) signals.push({ objectKey: key, container: '', token: alertToken(event.alert), at: event.lastAt });
  const gone = goneObject(event);
  if (gone !== undefined) signals.push({ objectKey: gone, container: '', token: GONE, at: event.lastAt });
  return signals;
}

/** Token of the end of an alert. By its fingerprint, because one object may have the same alert twice, at two severities. */
export function alertToken({ fingerprint }: AlertState): string {
  return shortKey(`@alert:${fingerprint}`, LONGEST_TOKEN);
}

function clearingEvents({ clears }: Problem): ClearingEvent[] {
  return clears.by === 'success-event' || clears.by === 'paired' ? clears.on : [];
}

function tokenOf(on: ClearingEvent): string {
  if (typeof on === 'string') return on.toLowerCase();
  const { reason, type, message, reporters } = on;
  return JSON.stringify({ reason, type, message, reporters });
}

function withKinds(kinds: Set<string> | undefined, problem: Problem): Set<string> {
  const result = kinds ?? new Set<string>();
  for (const kind of problem.objectKinds) result.add(kind);
  return result;
}

function compileOne(on: Exclude<ClearingEvent, string>): Omit<CompiledClearing, 'token' | 'kinds' | 'ofContainer'> {
  return {
    ...(on.reason !== undefined && { reason: on.reason.toLowerCase() }),
    ...(on.type !== undefined && { type: on.type }),
    ...(on.message !== undefined && { message: compileTemplate(on.message) }),
    ...(on.reporters !== undefined && { reporters: compileNames(on.reporters) }),
  };
}

function tokensOf(event: ClusterEvent, showsProblem: boolean, { byReason, rest }: Clearing): Pick<Signal, 'token' | 'container'>[] {
  const { kind, container } = event.object;
  const tokens: Pick<Signal, 'token' | 'container'>[] = [];
  const reason = event.reason.toLowerCase();
  const kinds = byReason.get(reason);
  if (kinds && fits(kinds, kind)) tokens.push({ token: reason, container });
  for (const candidate of rest) {
    if (!fits(candidate.kinds, kind)) continue;
    if (candidate.reason !== undefined && candidate.reason !== reason) continue;
    if (candidate.type !== undefined && candidate.type !== event.type) continue;
    if (candidate.reporters && event.reporter !== '' && !acceptsName(candidate.reporters, event.reporter.toLowerCase())) continue;
    // "Any Normal event" must not be one that itself tells of trouble, or only of work begun.
    if (candidate.reason === undefined && candidate.message === undefined && (showsProblem || BEGUN.test(event.reason))) continue;
    const match = candidate.message ? matchTemplate(candidate.message, squeezeText(event.message)) : { captured: {} };
    if (!match) continue;
    // What it captured tells apart by itself, see `distinguishingCaptures`.
    const apart = !candidate.ofContainer && Object.keys(match.captured).length > 0;
    tokens.push({ token: filled(candidate.token, match.captured), container: apart ? '' : container });
  }
  return tokens;
}

/** Reasons such as `EnsuringService` and `Syncing`. */
const BEGUN = /^\w+?ing([A-Z]|$)/;

function fits(kinds: Kinds, kind: string): boolean {
  return kinds.has(kind) || kinds.has('*');
}

const PLACEHOLDER = /\{(\w+)(?::int)?\}/g;
/** In characters: a token shares its index entry with the keys of an object and a container. */
const LONGEST_TOKEN = 200;

function filled(token: string, captured: Readonly<Record<string, string>>): string {
  return shortKey(
    token.replace(PLACEHOLDER, (placeholder, name: string) => captured[name] ?? placeholder),
    LONGEST_TOKEN,
  );
}

const DELETED_POD = /^Deleted pod: ([a-z0-9.-]+)$/;
const DELETED_STATEFUL_POD = /^delete Pod ([a-z0-9.-]+) in StatefulSet \S+ successful$/;

/** Key of an object that the event says is gone. */
function goneObject(event: ClusterEvent): string | undefined {
  if (event.object.deleted) return objectKey(event);
  if (event.object.kind === 'Node' && (event.reason === 'RemovingNode' || event.reason === 'DeletingNode')) return objectKey(event);
  if (event.reason !== 'SuccessfulDelete') return undefined;
  const pod = (DELETED_POD.exec(event.message) ?? DELETED_STATEFUL_POD.exec(event.message))?.[1];
  return pod === undefined ? undefined : keyOf('Pod', event.object.namespace, pod);
}
