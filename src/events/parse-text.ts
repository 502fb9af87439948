import { describeBreak, linesOf, parseConcatenated, parseLines } from './parse-pieces.js';
import { scanJson, skipJsonSpace } from './scan-json.js';
import { showValue } from './show-value.js';
import { UnreadableBodyError } from './unreadable-body-error.js';
import type { WireFormat, WireHeaders } from './wire-format.js';

const EXPECTED = 'a Kubernetes Event, a list of Events, or one JSON object per line';

/**
 * Cuts a body into its elements: one JSON value, one per line, values one after the other, or a format's own text.
 * A piece that is not JSON comes as a `BrokenElement`; throws `UnreadableBodyError` when no piece is JSON at all.
 */
export function parseText(text: string, formats: readonly WireFormat[], headers: WireHeaders = {}): unknown[] {
  const body = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (body.trim() === '') throw new UnreadableBodyError('EMPTY_BODY', `The body is empty; ${EXPECTED} was expected.`);
  const whole = parseWhole(body);
  if (whole !== undefined) return [whole];
  for (const format of formats) {
    const elements = format.split?.(body, headers);
    if (elements !== undefined) return elements;
  }
  return parsePieces(body);
}

function parseWhole(body: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new UnreadableBodyError('UNKNOWN_SHAPE', `The body is ${showValue(value)}; ${EXPECTED} was expected.`);
}

/**
 * A body does not say how it is cut. Values that follow each other without a fault win over lines of which some are
 * broken; else lines win, because a fault costs one line there and all the rest in the other way of cutting.
 */
function parsePieces(body: string): unknown[] {
  const lines = isPrettyPrinted(body) ? undefined : parseLines(linesOf(body));
  if (lines?.broken === 0) return lines.elements;
  const concatenated = parseConcatenated(body);
  if (concatenated.sound > 0 && concatenated.broken === 0) return concatenated.elements;
  if (lines !== undefined && lines.sound > 0) return lines.elements;
  if (concatenated.sound > 0) return concatenated.elements;
  const { end, expected } = scanJson(body, 0);
  const where = describeBreak(body, end, expected || 'the end of the body');
  throw new UnreadableBodyError('NOT_JSON', `The body is not JSON: ${where}. It should be ${EXPECTED}.`);
}

/** A first line with nothing but a bracket opens a pretty-printed value, whose lines are no values of their own. */
function isPrettyPrinted(body: string): boolean {
  const from = skipJsonSpace(body, 0);
  const first = body.slice(from, body.indexOf('\n', from)).trim();
  return first === '{' || first === '[';
}
