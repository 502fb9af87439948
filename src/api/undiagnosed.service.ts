import { Injectable } from '@nestjs/common';
import type { Provider } from '../knowledge/problem-file.js';
import { matchEvent } from '../matching/match-event.js';
import { mergePatterns } from '../matching/merge-patterns.js';
import type { MergedPattern } from '../matching/merge-patterns.js';
import type { MessagePattern } from '../matching/message-pattern.js';
import { groupBy } from '../pipeline/group-by.js';
import { RecogniserService } from '../pipeline/recogniser.service.js';
import type { UndiagnosedSample } from '../pipeline/undiagnosed-change.js';
import { RequestError } from '../platform/refusal.js';
import type { Scope } from '../platform/scope.js';
import type { FoundPattern, PatternInCluster, UndiagnosedFilter } from '../store/queries/find-undiagnosed.js';
import { UndiagnosedRepository } from '../store/undiagnosed.repository.js';
import { decodeCursor, encodeCursor, listOf } from './cursor.js';
import { checkFirst, checkText } from './page.js';
import { writeSkeleton } from './write-skeleton.js';

/** Most patterns that one answer is chosen from: the most frequent ones. */
const MOST_PATTERNS = 2000;
/** Patterns that are looked at more closely by one statement. */
const CHUNK = 100;
const MOST_CLUSTERS = 100;
const MOST_NAMESPACES = 100;
const MOST_SAMPLES = 5;
const MOST_NAMES = 500;
/** Id of what found no place of its own. */
const OVERFLOW = 'overflow';

/** What is asked for. Times in milliseconds since the epoch. */
export interface WantedUndiagnosed {
  first: number;
  after?: string | null;
  clusters?: readonly string[] | null;
  from?: number | null;
  to?: number | null;
  search?: string | null;
}

/** How a pattern shows in one cluster. */
export type UndiagnosedInCluster = Pick<PatternInCluster, 'cluster' | 'occurrences' | 'events' | 'firstAt' | 'lastAt'>;

/** A pattern that no problem explains. Times in milliseconds since the epoch. */
export interface Undiagnosed extends MessagePattern {
  /** True for all that came after a cluster's last place was taken: no pattern at all, and without samples. */
  overflow: boolean;
  occurrences: number;
  events: number;
  firstAt: number;
  lastAt: number;
  clusters: UndiagnosedInCluster[];
  namespaces: string[];
  samples: (UndiagnosedSample & { cluster: string; namespace: string })[];
  /** Null for the overflow. */
  skeleton: string | null;
  cursor: string;
}

type Ranked = MergedPattern<FoundPattern & { id: string }> & { occurrences: number };

/** Tells what no problem explains, for those who write knowledge. */
@Injectable()
export class UndiagnosedService {
  constructor(
    private readonly repository: UndiagnosedRepository,
    private readonly recognisers: RecogniserService,
  ) {}

  /** A page of patterns, the most frequent first. Throws RequestError for a wrong page, range or text. */
  async list(scope: Scope, wanted: WantedUndiagnosed): Promise<Undiagnosed[]> {
    const first = checkFirst(wanted.first);
    const filter = checkFilter(wanted);
    const list = listOf('undiagnosed', filter);
    const position = wanted.after ? positionOf(decodeCursor(list, wanted.after, ['number', 'string'])) : undefined;
    const found = await this.repository.patterns(scope, filter, MOST_PATTERNS);
    const ranked = rank(found).filter((one) => position === undefined || comparePositions(placeOf(one), position) > 0);

    const shown: Undiagnosed[] = [];
    for (let from = 0; from < ranked.length && shown.length < first; from += CHUNK) {
      const chunk = ranked.slice(from, from + CHUNK);
      const hashes = chunk.flatMap(({ members }) => members.map(({ hash }) => hash));
      const byHash = groupBy(await this.repository.inClusters(scope, filter, hashes), ({ hash }) => hash);
      for (const one of chunk) {
        const parts = one.members.flatMap(({ hash }) => byHash.get(hash) ?? []);
        if (parts.length === 0 || this.#isExplained(one.pattern, parts)) continue;
        shown.push(describe(one, parts, encodeCursor(list, placeOf(one))));
        if (shown.length === first) break;
      }
    }
    return shown;
  }

  /** True when the knowledge of today knows every sample: what is stored was counted by that of its day. */
  #isExplained({ kind, reporter, reason }: MessagePattern, parts: readonly PatternInCluster[]): boolean {
    const { matcher } = this.recognisers.current();
    const samples = parts
      .slice(0, MOST_CLUSTERS)
      .flatMap(({ provider, samples: list }) => list.map(({ sample }) => ({ provider, ...read(sample) })));
    return samples.every(({ message, type, provider }) => {
      const event = { reason, reporter, type, message, object: { kind } };
      return matchEvent(matcher, event, { provider: provider as Provider }).length > 0;
    });
  }
}

function checkFilter({ clusters, from: since, to: until, search }: WantedUndiagnosed): UndiagnosedFilter {
  if (clusters && clusters.length > MOST_NAMES)
    throw new RequestError('BAD_INPUT', `clusters holds ${clusters.length} names; at most ${MOST_NAMES} are allowed.`);
  // The schema gives null for what is absent.
  const [from, to] = [since ?? undefined, until ?? undefined];
  if (from !== undefined && to !== undefined && from > to) throw new RequestError('BAD_INPUT', 'from lies after to.');
  return {
    ...(clusters && clusters.length > 0 && { clusters: clusters.map((name) => checkText('clusters', name)) }),
    ...(from !== undefined && { from: dayOf(from) }),
    ...(to !== undefined && { to: dayOf(to) }),
    ...(search && { search: checkText('search', search, 200) }),
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function rank(found: readonly FoundPattern[]): Ranked[] {
  return mergePatterns(found.map((pattern) => ({ ...pattern, id: pattern.hash || OVERFLOW })))
    .map((one) => ({ ...one, occurrences: one.members.reduce((sum, { occurrences }) => sum + occurrences, 0) }))
    .sort((a, b) => comparePositions(placeOf(a), placeOf(b)));
}

type Place = readonly [occurrences: number, id: string];

function placeOf({ occurrences, pattern }: Ranked): Place {
  return [occurrences, pattern.id];
}

function positionOf([occurrences, id]: readonly (string | number)[]): Place {
  return [occurrences as number, id as string];
}

function comparePositions(a: Place, b: Place): number {
  return b[0] - a[0] || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);
}

function read(sample: string): UndiagnosedSample {
  return JSON.parse(sample) as UndiagnosedSample;
}

function describe({ pattern, occurrences }: Ranked, parts: readonly PatternInCluster[], cursor: string): Undiagnosed {
  const byCluster = groupBy(parts, ({ cluster }) => cluster);
  const clusters = [...byCluster].map(([cluster, own]) => ({ cluster, ...sumUp(own) })).sort((a, b) => b.occurrences - a.occurrences);
  const namespaces = [...new Set(parts.flatMap((part) => part.namespaces))].filter((name) => name !== '').sort();
  const overflow = pattern.id === OVERFLOW;
  const samples = overflow ? [] : samplesOf(parts);
  return {
    ...pattern,
    ...sumUp(parts),
    occurrences,
    overflow,
    clusters: clusters.slice(0, MOST_CLUSTERS),
    namespaces: namespaces.slice(0, MOST_NAMESPACES),
    samples,
    skeleton: overflow ? null : writeSkeleton(pattern, samples),
    cursor,
  };
}

function sumUp(parts: readonly PatternInCluster[]): Omit<UndiagnosedInCluster, 'cluster'> {
  return {
    occurrences: parts.reduce((sum, { occurrences }) => sum + occurrences, 0),
    events: parts.reduce((sum, { events }) => sum + events, 0),
    firstAt: parts.reduce((least, { firstAt }) => Math.min(least, firstAt), Infinity),
    lastAt: parts.reduce((most, { lastAt }) => Math.max(most, lastAt), -Infinity),
  };
}

/** Different texts, one of each part in turn: five of one cluster would show less. */
function samplesOf(parts: readonly PatternInCluster[]): Undiagnosed['samples'] {
  const found = new Map<string, Undiagnosed['samples'][number]>();
  for (let turn = 0; turn < 3; turn++) {
    for (const { cluster, samples } of parts) {
      const own = samples[turn];
      if (!own || found.size === MOST_SAMPLES) continue;
      const sample = read(own.sample);
      if (!found.has(sample.message)) found.set(sample.message, { ...sample, cluster, namespace: own.namespace });
    }
  }
  return [...found.values()];
}
