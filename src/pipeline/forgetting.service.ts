import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Cutoffs, ForgettingRepository } from '../store/forgetting.repository.js';

/** How long things are kept, in days; Infinity for ever. */
export interface KeptDays {
  quarters: number;
  hours: number;
  affected: number;
  incidents: number;
}

const DAY = 86_400_000;

/** Forgets what is older than it is to be kept and is no raw data, in short steps between which intake goes on. */
export class ForgettingService implements BeforeApplicationShutdown {
  #stopped = false;

  constructor(
    private readonly forgetting: ForgettingRepository,
    private readonly kept: KeptDays,
  ) {}

  /**
   * Works until nothing is left, or the service stops. Raw data of the same age has to be gone. Returns how many rows it deleted.
   *
   * @param now milliseconds since the epoch; the database's clock by default
   */
  async run(now?: number): Promise<number> {
    const cutoffs = cutoffsAt(now ?? (await this.forgetting.now()), this.kept);
    await this.forgetting.noteKept(cutoffs);
    let total = 0;
    for (const cluster of await this.forgetting.clusters()) total += await this.#repeat(() => this.forgetting.step(cluster, cutoffs));
    return total + (await this.#repeat(() => this.forgetting.stepEverywhere(cutoffs)));
  }

  async #repeat(step: () => Promise<number>): Promise<number> {
    let [total, count] = [0, 1];
    while (count > 0 && !this.#stopped) total += count = await step();
    return total;
  }

  beforeApplicationShutdown(): void {
    this.#stopped = true;
  }
}

/** Whole days of UTC, so that every cell is kept whole or not at all. */
function cutoffsAt(now: number, { quarters, hours, affected, incidents }: KeptDays): Cutoffs {
  const before = (days: number): string | undefined =>
    days === Infinity ? undefined : new Date(Math.floor(now / DAY) * DAY - days * DAY).toISOString();
  return { quarters: before(quarters), hours: before(hours), affected: before(affected), incidents: before(incidents) };
}
