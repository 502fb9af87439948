import { BLANK_GAP, findLiteral, isBorder, isDigitCode, isWordCode, literalOf, type SqueezedText } from './squeeze-text.js';

/** An exit code that a text names, folded to 0-255, and where, in the squeezed text. */
export interface FoundExitCode {
  exitCode: number;
  start: number;
  end: number;
}

interface Phrase {
  literal: Uint16Array;
  /** Smallest code to believe: `exit status 1` is said of any tool, 137 means the same wherever it stands. */
  least: number;
}

/** Longer phrases first, because the first that leads to a number wins. */
const phrases: Phrase[] = [
  ...[
    'exited with code',
    'exited with status',
    'exited with exit code',
    'exited with exit status',
    'exited with non-zero code',
    'exited with',
    'terminated with status',
    'terminated with exit code',
    'exit code',
    'exit-code',
    'code=exited,status=',
  ].map((text) => ({ literal: literalOf(text), least: 0 })),
  { literal: literalOf('exit status'), least: 126 },
];

const exit = literalOf('exit');
const terminated = literalOf('terminatedwith');
const separators = new Set([...`:=("'：`].map((c) => c.charCodeAt(0)));
const minus = '-'.charCodeAt(0);

/** The shell keeps the low byte: 256 is 0, -1 is 255. */
export function foldExitCode(code: number): number {
  if (code >= 0) return code % 256;
  return (256 - (-code % 256)) % 256;
}

/** Every exit code that a squeezed text names, each once, in order of appearance. */
export function extractExitCodes(text: SqueezedText): FoundExitCode[] {
  const all: FoundExitCode[] = [];
  if (findLiteral(text, exit, 0) < 0 && findLiteral(text, terminated, 0) < 0) return all;
  for (const { literal, least } of phrases) {
    for (let at = findLiteral(text, literal, 0); at >= 0; at = findLiteral(text, literal, at + 1)) {
      const number = isBorder(text, at) ? numberAt(text, at + literal.length) : undefined;
      if (!number) continue;
      const exitCode = foldExitCode(number.value);
      if (exitCode >= least && !all.some((known) => known.exitCode === exitCode)) all.push({ exitCode, start: at, end: number.end });
    }
  }
  return all.sort((a, b) => a.start - b.start);
}

function numberAt(text: SqueezedText, at: number): { value: number; end: number } | undefined {
  let pos = at;
  while (pos < text.length && pos < at + 4 && separators.has(text.codes[pos]!)) pos++;
  const negative = text.codes[pos] === minus && pos < text.length;
  if (negative) pos++;
  const start = pos;
  let value = 0;
  while (pos < text.length && pos < start + 12 && isDigitCode(text.codes[pos]!) && (pos === start || text.gap[pos]! < BLANK_GAP))
    value = value * 10 + text.codes[pos++]! - 0x30;
  if (pos === start || (pos < text.length && text.gap[pos]! < BLANK_GAP && isWordCode(text.codes[pos]!))) return undefined;
  return { value: negative ? -value : value, end: pos };
}
