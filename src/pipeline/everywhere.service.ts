import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { EverywhereRepository } from '../store/everywhere.repository.js';

/** Makes the sums over all clusters anew where batches touched them, in short steps. */
@Injectable()
export class EverywhereService implements BeforeApplicationShutdown {
  #stopped = false;

  constructor(private readonly everywhere: EverywhereRepository) {}

  /** Works until nothing is left, another process is at it, or the service stops. Returns how many hours it made anew. */
  async run(): Promise<number> {
    let [total, count] = [0, 1];
    while (count > 0 && !this.#stopped) total += count = await this.everywhere.step();
    return total;
  }

  beforeApplicationShutdown(): void {
    this.#stopped = true;
  }
}
