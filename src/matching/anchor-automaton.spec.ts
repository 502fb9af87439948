import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../test/support/seeded-random.js';
import { buildAnchorAutomaton, scanAnchors } from './anchor-automaton.js';

const codesOf = (text: string): Uint16Array => Uint16Array.from(text, (c) => c.charCodeAt(0));

function found(pieces: string[], text: string): number[] {
  const numbers = new Set<number>();
  scanAnchors(buildAnchorAutomaton(pieces.map(codesOf)), codesOf(text), text.length, (piece) => numbers.add(piece));
  return [...numbers].sort((a, b) => a - b);
}

describe('scanAnchors', () => {
  it('finds pieces that end inside and with one another', () => {
    expect(found(['he', 'she', 'hers', 'his', 'e'], 'ushers')).toEqual([0, 1, 2, 4]);
    expect(found(['网络'], '无法配置pod网络')).toEqual([0]);
    expect(found([], 'anything')).toEqual([]);
  });

  it('finds exactly what a search for each piece finds, on random letters and digits', () => {
    const random = seededRandom(7);
    const text = (length: number): string => Array.from({ length }, () => random.pick(['a', 'b', 'c', '1'])).join('');
    for (let round = 0; round < 500; round++) {
      const pieces = Array.from({ length: 1 + random.below(12) }, () => text(1 + random.below(5)));
      const haystack = text(random.below(40));
      const expected = pieces.flatMap((piece, number) => (haystack.includes(piece) ? [number] : []));
      expect(found(pieces, haystack)).toEqual(expected);
    }
  });
});
