import { describe, expect, it } from 'vitest';
import { EverywhereRepository, HOURS_OF_STEP } from '../store/everywhere.repository.js';
import { EverywhereService } from './everywhere.service.js';

/** A repository in which batches touch the hour that is running between any two steps. */
function underIntake(waiting: number): { steps: number } & Pick<EverywhereRepository, 'step'> {
  let left = waiting;
  return {
    steps: 0,
    async step() {
      this.steps++;
      const done = Math.min(left, HOURS_OF_STEP);
      left += 1 - done;
      return done;
    },
  };
}

describe('making sums over all clusters anew', () => {
  it.each([
    [1, 1, 1],
    [HOURS_OF_STEP * 2, HOURS_OF_STEP * 2 + 2, 3],
  ])('comes to an end while batches go on touching hours: %i waiting', async (waiting, hours, steps) => {
    const repository = underIntake(waiting);
    expect(await new EverywhereService(repository as unknown as EverywhereRepository).run()).toBe(hours);
    expect(repository.steps).toBe(steps);
  });
});
