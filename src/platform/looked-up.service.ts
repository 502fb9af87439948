import type { Clock } from './clock.js';

/** What was looked up serves all metrics of one reading, milliseconds. */
const FRESH = 5_000;
/** Time that the database has to answer: whoever reads the metrics waits no longer than ten seconds as a rule, milliseconds. */
const PATIENCE = 3_000;

/**
 * Looks something up in the database when somebody reads the metrics, once for all metrics of one reading. The other metrics have to be read when
 * the database does not answer, and above all then: so nothing is waited for for long, and what is late serves the next reading.
 */
export class LookedUp<T> {
  #found: { at: number; value: Promise<T | undefined>; settled: boolean } | undefined;

  /** `tell` is told why a look-up failed; `times` are how long a find is good, and how long one is waited for, in milliseconds. */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly lookUp: () => Promise<T>,
    private readonly tell: (error: unknown) => void,
    private readonly times: { fresh: number; patience: number } = { fresh: FRESH, patience: PATIENCE },
  ) {}

  /** What was found; undefined when the database did not answer, or not in time. */
  async get(): Promise<T | undefined> {
    const now = this.clock.now();
    const old = this.#found && (now - this.#found.at >= this.times.fresh || now < this.#found.at);
    if (!this.#found || (old && this.#found.settled)) this.#found = this.#begin(now);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, this.times.patience, undefined)));
    try {
      return await Promise.race([this.#found.value, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #begin(at: number): { at: number; value: Promise<T | undefined>; settled: boolean } {
    const value = this.lookUp().catch((error: unknown) => {
      this.tell(error);
      return undefined;
    });
    const found = { at, value, settled: false };
    void value.finally(() => (found.settled = true));
    return found;
  }
}
