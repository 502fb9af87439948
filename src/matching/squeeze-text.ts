/**
 * A text without white space and backslashes, in lower case, with curly quotes made straight: the form in which copied,
 * wrapped and escaped texts agree. It keeps the way back to the original.
 */
export interface SqueezedText {
  /** Kept UTF-16 codes; only the first `length` count. */
  codes: Uint16Array;
  length: number;
  /** For each kept code its position in the original. */
  origin: Int32Array;
  /** What was left out before each kept code: nothing, a backslash, white space, or white space with a line break. */
  gap: Uint8Array;
  original: string;
}

export const NO_GAP = 0;
export const BACKSLASH_GAP = 1;
export const BLANK_GAP = 2;
export const LINE_GAP = 3;

const DROP_BLANK = 0;
const DROP_LINE = 1;
const DROP_BACKSLASH = 2;
const BACKSLASH = 0x5c;

/** For ASCII: the code to keep, or below 3 why it is dropped. */
const asciiTable = new Uint8Array(128).map((_, code) => {
  if (code === 0x0a || code === 0x0d) return DROP_LINE;
  if (code <= 0x20 || code === 0x7f) return DROP_BLANK;
  if (code === BACKSLASH) return DROP_BACKSLASH;
  if (code >= 0x41 && code <= 0x5a) return code + 32;
  return code === 0x60 ? 0x27 : code;
});

/** Makes room for texts; one is reused for every event of a matcher, so that matching allocates nothing per event. */
export function emptySqueezedText(capacity = 1024): SqueezedText {
  return { codes: new Uint16Array(capacity), length: 0, origin: new Int32Array(capacity), gap: new Uint8Array(capacity + 1), original: '' };
}

/** Squeezes the text into `into`, which grows where needed, and returns it. */
export function squeezeText(text: string, into: SqueezedText = emptySqueezedText(text.length)): SqueezedText {
  if (into.codes.length < text.length) Object.assign(into, emptySqueezedText(text.length * 2));
  const { codes, origin, gap } = into;
  let length = 0;
  let open = NO_GAP;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const kept = code < 128 ? asciiTable[code]! : squeezeWide(code);
    if (kept > DROP_BACKSLASH) {
      codes[length] = kept;
      origin[length] = i;
      gap[length] = open;
      length++;
      open = NO_GAP;
    } else if (kept === DROP_BACKSLASH) {
      const escaped = text.charCodeAt(i + 1);
      if (escaped === 0x6e || escaped === 0x72 || escaped === 0x74) {
        i++;
        open = escaped === 0x74 ? Math.max(open, BLANK_GAP) : LINE_GAP;
      } else if (open === NO_GAP) open = BACKSLASH_GAP;
    } else open = kept === DROP_LINE ? LINE_GAP : Math.max(open, BLANK_GAP);
  }
  gap[length] = open;
  into.length = length;
  into.original = text;
  return into;
}

function squeezeWide(code: number): number {
  if (code >= 0x2018 && code <= 0x201b) return 0x27;
  if (code >= 0x201c && code <= 0x201f) return 0x22;
  if (code === 0x2028 || code === 0x2029) return DROP_LINE;
  if (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200d) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000 ||
    code === 0xfeff
  )
    return DROP_BLANK;
  if (code >= 0x2e80) return code;
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.length === 1 ? lower.charCodeAt(0) : code;
}

/** True for ASCII letters, digits and the underscore; Chinese has no word borders. */
export function isWordCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}

export function isDigitCode(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** True if a word may start or end at this position of the squeezed text. */
export function isBorder(text: SqueezedText, at: number): boolean {
  return at <= 0 || at >= text.length || text.gap[at] !== NO_GAP || !isWordCode(text.codes[at - 1]!) || !isWordCode(text.codes[at]!);
}

/** First position of the literal at or after `from`, or -1. */
export function findLiteral(text: SqueezedText, literal: Uint16Array, from: number): number {
  const { codes } = text;
  const first = literal[0]!;
  const size = literal.length;
  const last = text.length - size;
  for (let i = from; i <= last; i++) {
    if (codes[i] !== first) continue;
    let k = 1;
    while (k < size && codes[i + k] === literal[k]) k++;
    if (k === size) return i;
  }
  return -1;
}

/** True if the literal stands at exactly this position. */
export function standsAt(text: SqueezedText, literal: Uint16Array, at: number): boolean {
  if (at + literal.length > text.length) return false;
  for (let k = 0; k < literal.length; k++) if (text.codes[at + k] !== literal[k]) return false;
  return true;
}

/** The original text between two positions of the squeezed text. */
export function originalBetween(text: SqueezedText, from: number, to: number): string {
  return to <= from ? '' : text.original.slice(text.origin[from]!, text.origin[to - 1]! + 1);
}

/** Literal codes of a short text, for searching. */
export function literalOf(text: string): Uint16Array {
  const squeezed = squeezeText(text);
  return squeezed.codes.slice(0, squeezed.length);
}
