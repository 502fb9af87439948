import { BrokenElement } from './broken-element.js';
import { decodeUtf8, invalidUtf8At } from './decode-utf8.js';
import { parseJsonText } from './parse-json-text.js';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const LESS_THAN = 60;
/** `<24>1 ` of RFC 5424, with or without the frame's length in bytes before it. */
const START = /^(?:\d{1,8} )?<\d{1,3}>1 /;
const LENGTH = /^(\d{1,8}) </;
/** More than any door takes: what comes after is counted and not read. */
const MOST = 100_000;
const UNREAD = new BrokenElement('a syslog message behind too many others');
/** Longest text of the above, and most white space that is looked for behind a frame. */
const LOOK = 16;
/** Time, host, application, process, message id, structured data; the message is the rest. */
const HEADER = /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]"\\]|"(?:[^"\\]|\\.)*")*\])+)(?: |$)/;

/**
 * Cuts a body of RFC 5424 messages, each with its length in front or each on a line, into the JSON that the messages hold.
 * Gives undefined for any other body. A length that does not lead to the next message is not believed: the line end is.
 */
export function splitSyslog(bytes: Uint8Array): unknown[] | undefined {
  let from = skipSpace(bytes, 0);
  if (!START.test(ascii(bytes, from))) return undefined;
  const elements: unknown[] = [];
  while (from < bytes.length) {
    const { begin, end } = frameAt(bytes, from);
    elements.push(elements.length < MOST ? parseFrame(bytes.subarray(begin, end), elements.length + 1) : UNREAD);
    from = skipSpace(bytes, end);
  }
  return elements;
}

function frameAt(bytes: Uint8Array, from: number): { begin: number; end: number } {
  const length = LENGTH.exec(ascii(bytes, from))?.[1];
  const begin = length === undefined ? from : from + length.length + 1;
  const counted = length === undefined ? -1 : begin + Number(length);
  if (counted > begin && endsFrame(bytes, counted)) return { begin, end: counted };
  const newline = bytes.indexOf(NEWLINE, begin);
  return { begin, end: newline === -1 ? bytes.length : newline };
}

function endsFrame(bytes: Uint8Array, at: number): boolean {
  // Only as far as honest senders leave space: many lengths may lead into one long run of it.
  const next = skipSpace(bytes, at, LOOK);
  return next === bytes.length || START.test(ascii(bytes, next));
}

function parseFrame(frame: Uint8Array, position: number): unknown {
  if (invalidUtf8At(frame) !== -1) return new BrokenElement(`syslog message ${position} is not UTF-8`);
  const text = decodeUtf8(frame) ?? '';
  const header = HEADER.exec(text)?.[0];
  if (header === undefined) return new BrokenElement(`syslog message ${position} does not begin as RFC 5424 says`);
  const value = parseJsonText(text.slice(header.length).replace(/^\ufeff/, ''));
  return value ?? new BrokenElement(`syslog message ${position} holds no JSON; eventrouter writes {"verb","event"}`);
}

function skipSpace(bytes: Uint8Array, from: number, most = Infinity): number {
  let at = from;
  while (at - from < most && (bytes[at] === NEWLINE || bytes[at] === CARRIAGE_RETURN || bytes[at] === SPACE)) at++;
  return at;
}

function ascii(bytes: Uint8Array, from: number): string {
  const first = bytes[from] ?? 0;
  // Nearly every body is no syslog: one look at its first byte tells.
  if (first !== LESS_THAN && !(first >= 48 && first <= 57)) return '';
  return String.fromCharCode(...bytes.subarray(from, from + LOOK));
}
