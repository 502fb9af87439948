import { BrokenElement } from './broken-element.js';
import { scanJson, skipJsonSpace } from './scan-json.js';
import { showText } from './show-value.js';

/** The elements of a text under one way to cut it into pieces. */
export interface Pieces {
  elements: unknown[];
  /** Whole objects and arrays that are not empty: without any, the text was not meant to be cut this way. */
  sound: number;
  broken: number;
}

/** An exception costs some 4 µs, a scan far less: after this many a body's lines are scanned before they are parsed. */
const EXCEPTIONS = 100;
/** A body of nothing but tiny broken lines must not cost a sentence for each of millions. */
const SENTENCES = 10_000;
const UNTOLD = new BrokenElement('not JSON');
/** More elements than any door takes from one body. Whoever reads them refuses a body with more, so the rest is not parsed. */
export const MOST_ELEMENTS = 100_000;

/** Reads one JSON value per line; blank lines do not count, undefined stands for a line that is not UTF-8. */
export function parseLines(lines: Iterable<string | undefined>): Pieces {
  const pieces: Pieces = { elements: [], sound: 0, broken: 0 };
  let lineNumber = 0;
  for (const line of lines) {
    if (pieces.elements.length > MOST_ELEMENTS) break;
    lineNumber++;
    if (line === undefined) addBroken(pieces, () => `line ${lineNumber} is not UTF-8`);
    else parseLine(pieces, line, lineNumber);
  }
  return pieces;
}

/** Reads JSON values that follow each other with or without white space, such as a watch's pretty-printed objects. */
export function parseConcatenated(text: string): Pieces {
  const pieces: Pieces = { elements: [], sound: 0, broken: 0 };
  for (let from = skipJsonSpace(text, 0); from < text.length && pieces.elements.length <= MOST_ELEMENTS;) {
    const { end, expected } = scanJson(text, from);
    if (expected !== '') {
      addBroken(pieces, () => `the body is not JSON from here on: ${describeBreak(text, end, expected)}`);
      return pieces;
    }
    add(pieces, JSON.parse(text.slice(from, end)), end - from);
    from = skipJsonSpace(text, end);
  }
  return pieces;
}

/** Cuts a text at its line ends. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from);
    const to = newline === -1 ? text.length : newline;
    yield text.slice(from, to);
    from = to + 1;
  }
}

/** Says where a text breaks, what was expected there and what stands there instead. */
export function describeBreak(text: string, at: number, expected: string, firstLine = 1): string {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  let line = firstLine;
  for (let next = before.indexOf('\n'); next !== -1; next = before.indexOf('\n', next + 1)) line++;
  const found = at < text.length ? showText(String.fromCodePoint(text.codePointAt(at) ?? 0)) : 'the end';
  return `line ${line}, column ${at - lineStart + 1}: ${expected} was expected, found ${found}`;
}

function parseLine(pieces: Pieces, line: string, lineNumber: number): void {
  const piece = line.trim();
  if (piece === '') return;
  if (pieces.broken < EXCEPTIONS || isJson(piece)) {
    try {
      return add(pieces, JSON.parse(piece), piece.length);
    } catch {
      // Named below, in words of our own: the engine's tell no position for some faults.
    }
  }
  addBroken(pieces, () => {
    const { end, expected } = scanJson(piece, 0);
    return `not JSON: ${describeBreak(piece, end, expected || 'the end of the line', lineNumber)}`;
  });
}

/** True when a text is one JSON value; throws nothing, which costs less than a failed `JSON.parse`. */
export function isJson(piece: string): boolean {
  const { end, expected } = scanJson(piece, 0);
  return expected === '' && end === piece.length;
}

function add(pieces: Pieces, value: unknown, length: number): void {
  pieces.elements.push(value);
  if (typeof value === 'object' && value !== null && length > 2) pieces.sound++;
}

function addBroken(pieces: Pieces, reason: () => string): void {
  pieces.broken++;
  pieces.elements.push(pieces.broken <= SENTENCES ? new BrokenElement(reason()) : UNTOLD);
}
