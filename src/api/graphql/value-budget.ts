import { RequestError } from '../../platform/refusal.js';
import { LIMITS } from './limits.js';

/** How many values one answer may still hold. What a query costs is told before it is run, and by guess for lists without pages. */
export class ValueBudget {
  #taken = 0;
  #refusal: RequestError | undefined;

  constructor(private readonly limit: number = LIMITS.values) {}

  /** Why the answer is refused; undefined while it holds no more than it may. */
  get refusal(): RequestError | undefined {
    return this.#refusal;
  }

  /** Takes some values. Throws RequestError TOO_LARGE when there are too many with those taken before. */
  take(values: number): void {
    this.#taken += values;
    if (this.#taken <= this.limit) return;
    this.#refusal ??= new RequestError(
      'TOO_LARGE',
      `The answer would hold more than ${this.limit} objects and computed fields; ask for smaller pages, fewer rows or less depth.`,
    );
    throw this.#refusal;
  }
}
