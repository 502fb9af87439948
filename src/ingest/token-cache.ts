/** A value that may be used again until it expires. */
interface Entry<V> {
  value: V;
  expiresAt: number;
}

/** Remembers values for a short time, so that a post costs no query of its own; bounded, the oldest entry goes first. */
export class TokenCache<V> {
  readonly #entries = new Map<string, Entry<V>>();

  /** `ttl` in milliseconds. */
  constructor(
    private readonly ttl: number,
    private readonly size: number,
  ) {}

  /** The value of a key unless it has expired; `now` in milliseconds. */
  get(key: string, now: number): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresAt > now) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** Keeps a value for a key; `now` in milliseconds. */
  set(key: string, value: V, now: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.size) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(key, { value, expiresAt: now + this.ttl });
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
  }

  /** Forgets a key. */
  delete(key: string): void {
    this.#entries.delete(key);
  }
}
