/** How turns are given out. */
export interface TurnOptions {
  /** Most turns at a time. */
  turns: number;
  /** Longest wait for one, milliseconds. */
  patience: number;
}

/** No turn became free in time. */
export class NoTurnError extends Error {}

/** Begins the work of one who waits. */
type Begin = () => void;

/**
 * Gives out a few turns among many callers: whoever asks for much at once waits behind those who ask for little, and never has all the
 * turns. What is asked for by nobody in particular may have all of them.
 */
export class FairTurns {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();
  /** Those who wait, by caller; the caller who was served longest ago comes first. */
  readonly #waiting = new Map<string | undefined, Set<Begin>>();

  constructor(private readonly options: TurnOptions) {}

  /** How many wait. */
  get waiting(): number {
    let count = 0;
    for (const { size } of this.#waiting.values()) count += size;
    return count;
  }

  /**
   * Does work when it is the caller's turn.
   *
   * @throws NoTurnError when none became free in time; the work was not begun then
   */
  async run<T>(caller: string | undefined, work: () => Promise<T>): Promise<T> {
    if (!this.#isFree(caller)) await this.#wait(caller);
    else this.#take(caller);
    try {
      return await work();
    } finally {
      this.#giveBack(caller);
    }
  }

  #isFree(caller: string | undefined): boolean {
    const { turns } = this.options;
    if (this.#taken >= turns) return false;
    return caller === undefined || turns === 1 || (this.#takenBy.get(caller) ?? 0) < turns - 1;
  }

  #take(caller: string | undefined): void {
    this.#taken++;
    if (caller !== undefined) this.#takenBy.set(caller, (this.#takenBy.get(caller) ?? 0) + 1);
  }

  #giveBack(caller: string | undefined): void {
    this.#taken--;
    if (caller !== undefined) {
      const left = this.#takenBy.get(caller)! - 1;
      if (left > 0) this.#takenBy.set(caller, left);
      else this.#takenBy.delete(caller);
    }
    for (const [next, queue] of this.#waiting) {
      if (!this.#isFree(next)) continue;
      const [begin] = queue;
      this.#leave(next, begin!);
      const others = this.#waiting.get(next);
      // Behind the other callers.
      if (others && this.#waiting.delete(next)) this.#waiting.set(next, others);
      this.#take(next);
      return begin!();
    }
  }

  #wait(caller: string | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#leave(caller, begin);
        reject(new NoTurnError(`no turn became free within ${this.options.patience} ms`));
      }, this.options.patience);
      const queue = this.#waiting.get(caller);
      if (queue) queue.add(begin);
      else this.#waiting.set(caller, new Set([begin]));
    });
  }

  #leave(caller: string | undefined, begin: Begin): void {
    const queue = this.#waiting.get(caller)!;
    queue.delete(begin);
    if (queue.size === 0) this.#waiting.delete(caller);
  }
}
