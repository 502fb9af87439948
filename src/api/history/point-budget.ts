import { RequestError } from '../../platform/refusal.js';

/** Most buckets of one answer, of all groups and clusters together. */
export const MOST_POINTS = 50_000;

/**
 * How many buckets one request may still be answered with: with aliases it may ask for thirty histories. Those of everything together do not
 * count, so that a single history may have as many as there may be in its clusters.
 */
export class PointBudget {
  #taken = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Takes the buckets of one history or trend. Throws RequestError TOO_LARGE when there are too many with those taken before. */
  take(points: number): void {
    this.#taken += points;
    if (this.#taken <= MOST_POINTS) return;
    throw new RequestError(
      'TOO_LARGE',
      `The histories and trends of this query have more than ${MOST_POINTS} buckets together. Ask for fewer of them, fewer groups or clusters, shorter ranges or longer buckets.`,
    );
  }

  /** Reads one history or trend after the other: when one has taken too much, those that come after it are not read. */
  inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      this.take(0);
      return read();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
