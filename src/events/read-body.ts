import { BrokenElement } from './broken-element.js';
import type { ReadResult } from './cluster-event.js';
import { decodeUtf8, decodeUtf8Lines, invalidUtf8At } from './decode-utf8.js';
import { isJsonObject } from './field-reader.js';
import { parseLines } from './parse-pieces.js';
import { parseText } from './parse-text.js';
import { showValue } from './show-value.js';
import { UnreadableBodyError } from './unreadable-body-error.js';
import type { Finding, WireFormat } from './wire-format.js';
import { formatsFor } from './wire-formats.js';

/** How to read a body. */
export interface ReadOptions {
  /** Time of receipt, milliseconds since the epoch. */
  now: number;
  /** Name of the one format to read; found out per element when absent. */
  format?: string;
}

/** Refusals that are listed, so that a body of junk cannot fill the memory; the last one says how many there were. */
const LISTED = 10_000;

/**
 * Reads a request body of any supported format. Bad elements are refused one by one with their position in the
 * flattened body; throws `UnreadableBodyError`, and nothing else, when nothing of the body can be read.
 */
export function readBody(bytes: Uint8Array, options: ReadOptions): ReadResult {
  const formats = formatsFor(options.format);
  const text = decodeUtf8(bytes);
  return readElements(text === undefined ? parseBrokenUtf8(bytes) : parseText(text, formats), formats, options.now);
}

/** Reads a body that is already decoded; otherwise as `readBody`. */
export function readText(text: string, options: ReadOptions): ReadResult {
  const formats = formatsFor(options.format);
  return readElements(parseText(text, formats), formats, options.now);
}

/** Reads values that are already parsed out of JSON; throws `UnreadableBodyError` only for an unknown format. */
export function readValues(values: readonly unknown[], options: ReadOptions): ReadResult {
  return readElements(values, formatsFor(options.format), options.now);
}

/** Bytes that are not UTF-8 spoil only their own line, if the body is one of lines. */
function parseBrokenUtf8(bytes: Uint8Array): unknown[] {
  const lines = parseLines(decodeUtf8Lines(bytes));
  if (lines.sound > 0) return lines.elements;
  const where = `byte ${invalidUtf8At(bytes)} begins no valid character`;
  throw new UnreadableBodyError('NOT_UTF8', `The body is not UTF-8: ${where}. JSON in UTF-8 was expected.`);
}

/** Walks nested lists with a stack of its own: a hostile body nests deeper than calls can. */
function readElements(values: readonly unknown[], formats: readonly WireFormat[], now: number): ReadResult {
  const result: ReadResult = { events: [], rejected: [] };
  const open = [{ values, next: 0 }];
  let index = 0;
  let refused = 0;
  for (let list = open.at(-1); list !== undefined; list = open.at(-1)) {
    if (list.next === list.values.length) {
      open.pop();
      continue;
    }
    const found = readElement(list.values[list.next++], formats, now);
    if (found.type === 'elements') {
      open.push({ values: found.elements, next: 0 });
      continue;
    }
    if (found.type === 'event') result.events.push({ index, event: found.event });
    if (found.type === 'refusal' && ++refused <= LISTED) result.rejected.push({ index, reason: found.reason });
    index++;
  }
  const last = result.rejected[LISTED - 1];
  if (last !== undefined && refused > LISTED) last.reason += ` (the last listed of ${refused} refused elements)`;
  return result;
}

function readElement(value: unknown, formats: readonly WireFormat[], now: number): Finding {
  if (value instanceof BrokenElement) return { type: 'refusal', reason: value.reason };
  if (Array.isArray(value)) return { type: 'elements', elements: value };
  if (isJsonObject(value)) for (const format of formats) if (format.recognises(value)) return format.read(value, now);
  return { type: 'refusal', reason: `${showValue(value)} was found, an Event object was expected` };
}
