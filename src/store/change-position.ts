/** Place in the sequence of changes: the transaction that wrote a change, and its number. Digits, as both outgrow a number. */
export interface ChangePosition {
  xid: string;
  seq: string;
  /** Epoch in which it was told to somebody outside; what is restored together with the changes has none. */
  epoch?: string | undefined;
}

/** Negative when `a` comes before `b`, positive when after, else 0. */
export function comparePositions(a: ChangePosition, b: ChangePosition): number {
  return compareDigits(a.xid, b.xid) || compareDigits(a.seq, b.seq);
}

function compareDigits(a: string, b: string): number {
  if (a === b) return 0;
  return a.length - b.length || (a < b ? -1 : 1);
}
