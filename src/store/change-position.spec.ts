import { describe, expect, it } from 'vitest';
import { comparePositions } from './change-position.js';

describe('comparePositions', () => {
  it('compares by transaction, then by number, as numbers and not as texts', () => {
    const positions = [
      { xid: '10', seq: '1' },
      { xid: '9', seq: '20' },
      { xid: '9', seq: '3' },
      { xid: '18446744073709551615', seq: '0' },
    ];
    expect(positions.toSorted(comparePositions).map(({ xid, seq }) => `${xid}.${seq}`)).toEqual([
      '9.3',
      '9.20',
      '10.1',
      '18446744073709551615.0',
    ]);
    expect(comparePositions({ xid: '7', seq: '1' }, { xid: '7', seq: '1' })).toBe(0);
  });
});
