import type { Interval, Resolution } from './timeline.js';

/** One uninterrupted open period of an incident, over all its affected objects. */
export interface Episode {
  startedAt: number;
  endedAt: number | null;
  resolution: Resolution | null;
}

/** Unites the periods of an incident's objects: it is open while any object is. Order of the input does not matter. */
export function mergeEpisodes(intervals: readonly Pick<Interval, 'startedAt' | 'endedAt' | 'resolution'>[]): Episode[] {
  const sorted = [...intervals].sort((a, b) => a.startedAt - b.startedAt);
  const episodes: Episode[] = [];
  for (const { startedAt, endedAt, resolution } of sorted) {
    const last = episodes.at(-1);
    if (!last || (last.endedAt !== null && startedAt > last.endedAt)) {
      episodes.push({ startedAt, endedAt, resolution });
    } else if (last.endedAt !== null && endsLater({ endedAt, resolution }, last)) {
      last.endedAt = endedAt;
      last.resolution = resolution;
    }
  }
  return episodes;
}

function endsLater(a: Pick<Episode, 'endedAt' | 'resolution'>, b: Pick<Episode, 'endedAt' | 'resolution'>): boolean {
  if (a.endedAt === null) return true;
  if (a.endedAt !== b.endedAt) return a.endedAt > b.endedAt!;
  return (a.resolution ?? '') < (b.resolution ?? '');
}
