import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { EverywhereRepository, HOURS_OF_STEP } from '../store/everywhere.repository.js';

/** Makes the sums over all clusters anew where batches touched them, in short steps. */
@Injectable()
export class EverywhereService implements BeforeApplicationShutdown {
  #stopped = false;

  constructor(private readonly everywhere: EverywhereRepository) {}

  /**
   * Works until a step had not enough to do, another process is at it, or the service stops. What batches touch meanwhile is left for the
   * next time: they always touch something. Returns how many hours it made anew.
   */
  async run(): Promise<number> {
    let [total, count] = [0, HOURS_OF_STEP];
    while (count === HOURS_OF_STEP && !this.#stopped) total += count = await this.everywhere.step();
    return total;
  }

  beforeApplicationShutdown(): void {
    this.#stopped = true;
  }
}
