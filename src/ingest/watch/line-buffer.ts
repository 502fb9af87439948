const NEWLINE = 0x0a;

/** Bytes that are kept of a line that is too long, to show how it began. */
const BEGINNING = 4096;

/** A line of a stream, or the length in bytes and the beginning of one that was too long to be kept. */
export type StreamLine = { type: 'line'; text: string } | { type: 'too-long'; bytes: number; beginning: string };

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
  #beginning = '';

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
      if (this.#skipped === 0) this.#beginning = textOf(beginningOf([...this.#pieces, piece]));
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
    if (skipped > 0) return { type: 'too-long', bytes: skipped, beginning: this.#beginning };
    const text = textOf(pieces);
    return held === 0 || text.trim() === '' ? undefined : { type: 'line', text };
  }
}

function textOf(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}

function beginningOf(pieces: readonly Uint8Array[]): Uint8Array[] {
  let left = BEGINNING;
  return pieces.flatMap((piece) => {
    const part = piece.subarray(0, left);
    left -= part.length;
    return part.length > 0 ? [part] : [];
  });
}
