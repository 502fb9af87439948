import { Injectable } from '@nestjs/common';
import { IntakeRepository } from '../store/intake.repository.js';
import { resolveQuiet } from './resolve-quiet.js';

const LIMIT = 500;

/**
 * Ends incidents that silence has ended. The deadlines are in the database and compared with its clock, so that a restart
 * loses none and any number of processes may run this: whoever comes second finds nothing left.
 */
@Injectable()
export class QuietService {
  constructor(private readonly repository: IntakeRepository) {}

  /** Ends everything that is due, by the database's clock or by `now` (milliseconds since the epoch). Returns how many objects. */
  async run(now: number | null = null): Promise<number> {
    let total = 0;
    const failures: unknown[] = [];
    for (const clusterId of await this.repository.clustersWithQuiet(now)) {
      try {
        for (let ended = LIMIT; ended === LIMIT; total += ended) ended = await this.#end(clusterId, now);
      } catch (error) {
        // One cluster's trouble is not another's.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return total;
  }

  #end(clusterId: number, now: number | null): Promise<number> {
    return this.repository.transaction(clusterId, (transaction) => resolveQuiet(transaction, LIMIT, now ?? transaction.now), {
      heard: false,
    });
  }
}
