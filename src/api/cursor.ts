import { RequestError } from '../platform/refusal.js';
import { EARLIEST } from './parse-time.js';

/** A place in an ordered list: the sort key of one of its rows. */
export type Position = readonly (string | number)[];

/**
 * Makes the cursor of a row. It carries a mark of the list it belongs to (its name, filter and order), so that a cursor of
 * another list is refused instead of giving a wrong page.
 */
export function encodeCursor(list: string, position: Position): string {
  return toBase64Url(JSON.stringify([markOf(list), ...position]));
}

/**
 * Reads the cursor of a row.
 *
 * @param shape the type of each part of the sort key
 * @throws RequestError BAD_CURSOR when it is damaged or belongs to another list
 */
export function decodeCursor(list: string, cursor: string, shape: readonly ('string' | 'number')[]): Position {
  const parts = parse(cursor);
  if (!parts || parts.length !== shape.length + 1)
    throw new RequestError('BAD_CURSOR', 'The cursor is damaged; take it from pageInfo.endCursor as it is.');
  const [mark, ...position] = parts;
  if (mark !== markOf(list)) throw new RequestError('BAD_CURSOR', 'The cursor belongs to a list with another query, filter or order.');
  if (!position.every((part, i) => typeof part === shape[i] && isStorable(part)))
    throw new RequestError('BAD_CURSOR', 'The cursor is damaged.');
  return position as Position;
}

/** Name, filter and order of a list as one text, the same for the same list however its filter was spelled. */
export function listOf(name: string, filter: unknown, order: unknown = null): string {
  return JSON.stringify([name, sorted(filter), sorted(order)]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}

/** FNV-1a, 32 bits: a mark against mix-ups, not against forgery; a forged cursor gives no more than a list does. */
function markOf(list: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < list.length; i++) hash = Math.imul(hash ^ list.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Greatest number of a sort key: as a moment, the latest that a Date can hold, milliseconds since the epoch. */
const MOST = 8.64e15;

function isStorable(part: unknown): boolean {
  return typeof part === 'string' ? !part.includes('\0') : (part as number) >= EARLIEST && (part as number) <= MOST;
}

function parse(cursor: string): unknown[] | undefined {
  if (cursor.length > 4000 || !/^[\w-]+$/.test(cursor)) return undefined;
  try {
    const value: unknown = JSON.parse(fromBase64Url(cursor));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function toBase64Url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}

function fromBase64Url(text: string): string {
  return Buffer.from(text, 'base64url').toString('utf8');
}
