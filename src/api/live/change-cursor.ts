import { RequestError } from '../../platform/refusal.js';
import type { ChangePosition } from '../../store/change-position.js';
import { decodeCursor, encodeCursor } from '../cursor.js';

/** The same for every filter: a stream may go on with another one. */
const LIST = 'incidentChanges';
/** At most 18 digits, which fit PostgreSQL's bigint and xid8. */
const DIGITS = /^\d{1,18}$/;

/** The cursor of a place in the sequence of changes. */
export function encodeChangeCursor({ xid, seq, epoch }: ChangePosition): string {
  return encodeCursor(LIST, [xid, seq, epoch ?? '']);
}

/** Reads the cursor of a change. Throws RequestError BAD_CURSOR when it is none. */
export function decodeChangeCursor(cursor: string): ChangePosition {
  const [xid, seq, epoch] = decodeCursor(LIST, cursor, ['string', 'string', 'string']) as readonly [string, string, string];
  if (DIGITS.test(xid) && DIGITS.test(seq)) return { xid, seq, epoch: epoch || undefined };
  throw new RequestError('BAD_CURSOR', 'The cursor is damaged.');
}
