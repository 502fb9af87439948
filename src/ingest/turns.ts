type Start = () => void;

/**
 * Lets work begin in turns: at most `most` at a time, one for each holder, and among those that wait each holder's next in its
 * turn, so that a holder with a long line delays others by one piece of work at most.
 */
export class Turns<Holder = number> {
  readonly #lines = new Map<Holder, Start[]>();
  readonly #running = new Set<Holder>();

  constructor(private readonly most: number) {}

  /** Work that waits or runs. */
  get size(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.length, this.#running.size);
  }

  /** Runs work of a holder when its turn has come. */
  async run<T>(holder: Holder, work: () => Promise<T> | T): Promise<T> {
    await new Promise<void>((start) => {
      const line = this.#lines.get(holder);
      if (line) line.push(start);
      else this.#lines.set(holder, [start]);
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#running.delete(holder);
      this.#next();
    }
  }

  #next(): void {
    for (const [holder, line] of this.#lines) {
      if (this.#running.size >= this.most) return;
      if (this.#running.has(holder)) continue;
      const start = line.shift()!;
      // A map keeps the order of arrival: whoever goes on waiting goes to the end.
      this.#lines.delete(holder);
      if (line.length > 0) this.#lines.set(holder, line);
      this.#running.add(holder);
      start();
    }
  }
}
