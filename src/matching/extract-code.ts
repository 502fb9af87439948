import { BLANK_GAP, findLiteral, isBorder, isDigitCode, literalOf, type SqueezedText } from './squeeze-text.js';

/** A code that a text names, and where, in the squeezed text. */
export interface FoundCode {
  code: string;
  start: number;
  end: number;
}

const labels = ['errorcode', 'retruncode', 'returncode'].map(literalOf);
const letters = new Set(['e', 'w', 's'].map((c) => c.charCodeAt(0)));
const fillers = new Set([...`"':=：`].map((c) => c.charCodeAt(0)));
const colon = ':'.charCodeAt(0);
/** What may follow a code that leads a message; a hyphen makes it a part of a name. */
const afterLeading = new Set([...':.,;)]：，。'].map((c) => c.charCodeAt(0)));

/**
 * The code of a TKE controller in a normalised and squeezed text: behind `ErrorCode:` (or the misspelt `RetrunCode:`), or
 * leading the text. Alone it says nothing; kind and reporter have to agree.
 */
export function extractCode(text: SqueezedText): FoundCode | undefined {
  for (const label of labels) {
    for (let at = findLiteral(text, label, 0); at >= 0; at = findLiteral(text, label, at + 1)) {
      let pos = at + label.length;
      const afterLabel = pos;
      while (pos < text.length && pos < afterLabel + 4 && fillers.has(text.codes[pos]!)) pos++;
      const separated = pos > afterLabel || text.gap[pos]! >= BLANK_GAP;
      if (separated && isCodeAt(text, pos) && isBorder(text, pos + 5) && text.codes[pos + 5] !== 0x2d) return found(text, pos, at);
    }
  }
  return leadingCode(text);
}

function leadingCode(text: SqueezedText): FoundCode | undefined {
  const start = text.codes[0] === 0x5b ? 1 : 0;
  if (!isCodeAt(text, start)) return undefined;
  const end = start + 5;
  if (text.length > end && text.gap[end]! < BLANK_GAP && !afterLeading.has(text.codes[end]!)) return undefined;
  // "W1001 14:15:31 …" is the header of a log line, cut off before its file name.
  const time =
    isDigitCode(text.codes[end]!) &&
    isDigitCode(text.codes[end + 1]!) &&
    text.codes[end + 2] === colon &&
    isDigitCode(text.codes[end + 3]!);
  return time && text.length > end + 3 ? undefined : found(text, start, start);
}

function isCodeAt(text: SqueezedText, at: number): boolean {
  if (at + 5 > text.length || !letters.has(text.codes[at]!)) return false;
  for (let i = at + 1; i < at + 5; i++) if (!isDigitCode(text.codes[i]!)) return false;
  return true;
}

function found(text: SqueezedText, at: number, start: number): FoundCode {
  return { code: String.fromCharCode(...text.codes.subarray(at, at + 5)).toUpperCase(), start, end: at + 5 };
}
