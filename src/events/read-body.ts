import { BrokenElement } from './broken-element.js';
import type { ReadResult } from './cluster-event.js';
import { decodeUtf8, decodeUtf8Lines, invalidUtf8At } from './decode-utf8.js';
import { isJsonObject } from './field-reader.js';
import { MOST_ELEMENTS, parseLines } from './parse-pieces.js';
import { parseText } from './parse-text.js';
import { noteRefused } from './refused-element.js';
import { showValue } from './show-value.js';
import { UnreadableBodyError } from './unreadable-body-error.js';
import type { Finding, WireFormat, WireHeaders } from './wire-format.js';
import { formatsFor, wireFormats } from './wire-formats.js';

/** How to read a body. */
export interface ReadOptions {
  /** Time of receipt, milliseconds since the epoch. */
  now: number;
  /** Name of the one format to read; found out per element when absent. */
  format?: string;
  /** What the request's headers say of the body; see `wireHeaders`. */
  headers?: WireHeaders;
}

/** What the elements of one list are read with. */
interface Reading {
  formats: readonly WireFormat[];
  headers: WireHeaders;
  /** Time of receipt, milliseconds since the epoch. */
  now: number;
}

const NO_HEADERS: WireHeaders = Object.freeze({});

const TOO_MANY = `The body holds more than ${MOST_ELEMENTS} elements; send fewer at once.`;

/** Refusals that are listed, so that a body of junk cannot fill the memory; the last one says how many there were. */
const LISTED = 10_000;

/**
 * Reads a request body of any supported format. Bad elements are refused one by one with their position in the
 * flattened body; throws `UnreadableBodyError`, and nothing else, when nothing of the body can be read or it holds too many.
 */
export function readBody(bytes: Uint8Array, options: ReadOptions): ReadResult {
  const reading = readingOf(options);
  return readElements(parseBytes(bytes, reading), reading);
}

/** Reads a body that is already decoded; otherwise as `readBody`. */
export function readText(text: string, options: ReadOptions): ReadResult {
  const reading = readingOf(options);
  return readElements(parseText(text, reading.formats, reading.headers), reading);
}

/** Reads values that are already parsed out of JSON; throws `UnreadableBodyError` only for an unknown format or too many. */
export function readValues(values: readonly unknown[], options: ReadOptions): ReadResult {
  return readElements(values, readingOf(options));
}

function readingOf({ now, format, headers = NO_HEADERS }: ReadOptions): Reading {
  return { now, headers, formats: formatsFor(format) };
}

function parseBytes(bytes: Uint8Array, { formats, headers }: Reading): readonly unknown[] {
  for (const format of formats) {
    const elements = format.readBytes?.(bytes, headers);
    if (elements !== undefined) return elements;
  }
  const text = decodeUtf8(bytes);
  return text === undefined ? parseBrokenUtf8(bytes) : parseText(text, formats, headers);
}

/** Bytes that are not UTF-8 spoil only their own line, if the body is one of lines. */
function parseBrokenUtf8(bytes: Uint8Array): unknown[] {
  const lines = parseLines(decodeUtf8Lines(bytes));
  if (lines.sound > 0) return lines.elements;
  const where = `byte ${invalidUtf8At(bytes)} begins no valid character`;
  throw new UnreadableBodyError('NOT_UTF8', `The body is not UTF-8: ${where}. JSON in UTF-8 was expected.`);
}

/** Walks nested lists with a stack of its own: a hostile body nests deeper than calls can. */
function readElements(values: readonly unknown[], outermost: Reading): ReadResult {
  const inner: Reading = { now: outermost.now, headers: NO_HEADERS, formats: wireFormats };
  const result: ReadResult = { events: [], rejected: [] };
  const open = [{ values, next: 0, reading: outermost }];
  let index = 0;
  let refused = 0;
  for (let list = open.at(-1); list !== undefined; list = open.at(-1)) {
    if (list.next === list.values.length) {
      open.pop();
      continue;
    }
    const value = list.values[list.next++];
    if (index === MOST_ELEMENTS) throw new UnreadableBodyError('TOO_MANY_ELEMENTS', TOO_MANY);
    const found = readElement(value, list.reading);
    if (found.type === 'elements') {
      open.push({ values: found.elements, next: 0, reading: found.foreign ? inner : list.reading });
      continue;
    }
    if (found.type === 'event') result.events.push({ index, event: found.event });
    if (found.type === 'refusal' && ++refused <= LISTED) result.rejected.push(noteRefused({ index, reason: found.reason }, value));
    index++;
  }
  const last = result.rejected[LISTED - 1];
  if (last !== undefined && refused > LISTED) last.reason += ` (the last listed of ${refused} refused elements)`;
  return result;
}

function readElement(value: unknown, { formats, headers, now }: Reading): Finding {
  if (value instanceof BrokenElement) return { type: 'refusal', reason: value.reason };
  if (Array.isArray(value)) return { type: 'elements', elements: value };
  if (isJsonObject(value)) for (const format of formats) if (format.recognises(value, headers)) return format.read(value, now, headers);
  return { type: 'refusal', reason: `${showValue(value)} was found, an Event object was expected` };
}
