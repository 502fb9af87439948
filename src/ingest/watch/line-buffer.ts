const NEWLINE = 0x0a;

/** A line of a stream, or the length in bytes of one that was too long to be kept. */
export type StreamLine = { type: 'line'; text: string } | { type: 'too-long'; bytes: number };

/**
 * Cuts a stream of bytes into lines. What stands after the last newline is no line: a connection that is cut in the middle
 * of one leaves nothing of it. A line beyond the limit is skipped and told, so that memory stays bounded.
 */
export class LineBuffer {
  readonly #longest: number;
  #pieces: Uint8Array[] = [];
  #held = 0;
  /** Bytes of a too long line that were thrown away so far. */
  #skipped = 0;

  /** @param longest most bytes of a line */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that these bytes complete, one after the other: what is not asked for is not decoded yet. */
  *take(bytes: Uint8Array): Generator<StreamLine> {
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      this.#hold(bytes.subarray(from, end));
      from = end + 1;
      const line = this.#finish();
      if (line) yield line;
    }
    this.#hold(bytes.subarray(from));
  }

  #hold(piece: Uint8Array): void {
    if (piece.length === 0) return;
    if (this.#skipped > 0 || this.#held + piece.length > this.#longest) {
      this.#skipped += this.#held + piece.length;
      this.#pieces = [];
      this.#held = 0;
      return;
    }
    this.#pieces.push(piece);
    this.#held += piece.length;
  }

  #finish(): StreamLine | undefined {
    const [pieces, held, skipped] = [this.#pieces, this.#held, this.#skipped];
    this.#pieces = [];
    this.#held = 0;
    this.#skipped = 0;
    if (skipped > 0) return { type: 'too-long', bytes: skipped };
    const decoder = new TextDecoder();
    const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
    return held === 0 || text.trim() === '' ? undefined : { type: 'line', text };
  }
}
