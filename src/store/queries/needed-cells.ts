import type { CellMinutes } from './cell-pieces.js';
import { planCells } from './cell-pieces.js';
import type { CellQuery } from './cell-source.js';

/** Cells of a length that an answer is put together from. */
export interface NeededCells {
  minutes: CellMinutes;
  /** Start of the earliest, milliseconds since the epoch. */
  from: number;
}

/** Which cells that are not kept for ever a question needs; days of UTC are. What is read from episodes or sightings needs none. */
export function neededCells({ filter, dimensions, edges }: Pick<CellQuery, 'filter' | 'dimensions' | 'edges'>): NeededCells[] {
  if (filter.subject || dimensions.includes('status')) return [];
  // Hours after the range are kept wherever those of the range are.
  const { spans, pieces } = planCells(edges);
  const all = [...spans, ...pieces];
  return ([15, 60] as const).flatMap((length) => {
    const starts = all.filter((cells) => cells.minutes === length).map(({ from }) => from);
    return starts.length === 0 ? [] : [{ minutes: length, from: starts.reduce((a, b) => Math.min(a, b)) }];
  });
}

const NAMES: Record<CellMinutes, string> = { 15: 'quarters of an hour', 60: 'hours', 1440: 'days' };
const WAYS: Record<CellMinutes, string> = {
  15: 'a later range, or a time zone that is whole hours from UTC',
  60: 'a later range, or days or weeks of UTC',
  1440: 'a later range',
};

/** A question about a time of which the sums that it needs are not kept any more. */
export class CellsDroppedError extends Error {
  readonly code = 'CELLS_DROPPED';

  constructor({ minutes, from }: NeededCells, keptFrom: number) {
    const iso = (at: number): string => new Date(at).toISOString().replace('.000Z', 'Z');
    super(
      `Sums of ${NAMES[minutes]} are kept from ${iso(keptFrom)} on, and this question, with the period before its range, needs them from ${iso(from)} on. Ask for ${WAYS[minutes]}.`,
    );
  }
}
