/** How much is remembered. */
export interface RecentLimits {
  /** Most texts. */
  texts: number;
  /** Most characters of all of them. */
  characters: number;
  /** Most characters of one; a longer one is not remembered. */
  each: number;
}

/** Texts by a key; those that were asked for longest ago are forgotten first. */
export class RecentTexts {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  constructor(private readonly limits: RecentLimits) {}

  /** The text of a key; undefined when it was never remembered, or is not any more. */
  get(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  /** Remembers a text, and forgets others where there is no room. */
  set(key: string, text: string): void {
    if (text.length > this.limits.each) return;
    this.delete(key);
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= this.limits.texts && this.#characters <= this.limits.characters) return;
      this.delete(oldest);
    }
  }

  /** Forgets a text. */
  delete(key: string): void {
    this.#characters -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }
}
