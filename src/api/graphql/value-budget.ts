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

  /** Takes some values. Returns the refusal if they are the first that are too many. */
  take(values: number): RequestError | undefined {
    this.#taken += values;
    if (this.#refusal || this.#taken <= this.limit) return undefined;
    this.#refusal = new RequestError(
      'TOO_LARGE',
      `The answer would hold more than ${this.limit} objects and computed fields; ask for smaller pages, fewer rows or less depth.`,
    );
    return this.#refusal;
  }
}
