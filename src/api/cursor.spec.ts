import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, listOf } from './cursor.js';

describe('cursor', () => {
  it('gives back every position of its list', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -6e13, max: 8e15 }), fc.string({ unit: 'binary' }), (at, id) => {
        const whole = id.toWellFormed().replaceAll('\0', '');
        expect(decodeCursor('list', encodeCursor('list', [at + 0, whole]), ['number', 'string'])).toEqual([at + 0, whole]);
      }),
    );
  });

  it('is the same list however its filter was spelled', () => {
    expect(listOf('a', { x: 1, y: undefined, z: null })).toBe(listOf('a', { x: 1 }));
    expect(listOf('a', { x: [{ p: 1, q: 2 }], y: 2 })).toBe(listOf('a', { y: 2, x: [{ q: 2, p: 1 }] }));
    expect(new Set([listOf('a', { x: 1 }), listOf('b', { x: 1 }), listOf('a', { x: 2 }), listOf('a', { x: 1 }, 'asc')]).size).toBe(4);
  });

  it('refuses the cursor of another list', () => {
    expect(() => decodeCursor('b', encodeCursor('a', [1]), ['number'])).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
  });

  it('refuses what is no cursor, and never fails otherwise', () => {
    const own = encodeCursor('a', [1, 'x']);
    for (const cursor of [
      '',
      'x',
      own.slice(1),
      `${own}=`,
      encodeCursor('a', [1]),
      encodeCursor('a', ['1', 'x']),
      encodeCursor('a', [1, 'x\0']),
      encodeCursor('a', [1e300, 'x']),
      encodeCursor('a', [-8.64e15, 'x']),
      encodeCursor('a', [Date.parse('0000-12-31T00:00:00Z'), 'x']),
    ]) {
      expect(() => decodeCursor('a', cursor, ['number', 'string']), cursor).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
    }
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => btoa(encodeURIComponent(json))),
        ),
        (cursor) => {
          expect(() => decodeCursor('a', cursor, ['number'])).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
        },
      ),
    );
  });
});
