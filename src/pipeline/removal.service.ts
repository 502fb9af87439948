import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { ClusterRemovalRepository } from '../store/cluster-removal.repository.js';

/**
 * Deletes what is left of clusters that are being removed, in short steps. What remains to be done is in the database, so that a
 * restart loses nothing and any number of processes may run this: one of them takes each step.
 */
@Injectable()
export class RemovalService implements BeforeApplicationShutdown {
  #stopped = false;

  constructor(private readonly removals: ClusterRemovalRepository) {}

  /** Works until nothing is left, another process is at it, or the service stops. Returns the names of clusters that are gone. */
  async run(): Promise<string[]> {
    const gone: string[] = [];
    const failures: unknown[] = [];
    for (const { id, name } of await this.removals.waiting()) {
      try {
        let step = await this.removals.step(id);
        while (step === 'some' && !this.#stopped) step = await this.removals.step(id);
        if (step === 'gone') gone.push(name);
      } catch (error) {
        // One cluster's trouble is not another's.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return gone;
  }

  /** Deletes what late writers left of clusters that are gone. */
  sweep(): Promise<number> {
    return this.removals.sweep();
  }

  beforeApplicationShutdown(): void {
    this.#stopped = true;
  }
}
