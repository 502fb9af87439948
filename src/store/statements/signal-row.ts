import type { Signal } from '../../incidents/delivery.js';
import { ms } from '../rows.js';

/** Columns of `signal` that make a `Signal`. */
export const SIGNAL_COLUMNS = `object_key, container, token, ${ms('at')} AS at`;

/** A row of those columns. */
export interface SignalRow {
  object_key: string;
  container: string;
  token: string;
  at: number;
}

/** Makes a signal of a row. */
export function toSignal({ object_key: objectKey, container, token, at }: SignalRow): Signal {
  return { objectKey, container, token, at };
}
