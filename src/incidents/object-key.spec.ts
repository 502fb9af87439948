import { describe, expect, it } from 'vitest';
import { keyOf, shortKey } from './object-key.js';

describe('shortKey', () => {
  it('leaves a key of any real length as it is', () => {
    const key = keyOf('HorizontalPodAutoscaler', 'n'.repeat(63), 'a'.repeat(253));
    expect(key).toBe(`HorizontalPodAutoscaler/${'n'.repeat(63)}/${'a'.repeat(253)}`);
  });

  it('shortens a longer one and still tells two apart', () => {
    const [one, other] = ['x', 'y'].map((end) => shortKey('a'.repeat(500) + end));
    expect(one!.length).toBeLessThanOrEqual(400);
    expect(one).not.toBe(other);
  });

  it.each([0, 1])('never cuts a character in half (%i)', (shift) => {
    expect(shortKey('a'.repeat(shift) + '😀'.repeat(300)).isWellFormed()).toBe(true);
  });
});
