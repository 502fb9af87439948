import { describe, expect, it } from 'vitest';
import { emptySqueezedText, isBorder, originalBetween, squeezeText } from './squeeze-text.js';

const squeezed = (text: string): string => {
  const { codes, length } = squeezeText(text);
  return String.fromCharCode(...codes.subarray(0, length));
};

describe('squeezeText', () => {
  it('drops white space, backslashes and escapes of white space, and lowers the case', () => {
    expect(squeezed('  No \t Space\\n\\tLeft \\"Here\\"')).toBe('nospaceleft"here"');
    expect(squeezed('“x” ‘y’ `z`\u00a0É 网络')).toBe("\"x\"'y''z'é网络");
  });

  it('finds its way back to the original', () => {
    const text = squeezeText('a \\"B C\\" d');
    expect(originalBetween(text, 2, 4)).toBe('B C');
    expect(originalBetween(text, 2, 2)).toBe('');
  });

  it('knows word borders of the original', () => {
    const text = squeezeText('ab c-d\\ne');
    expect([0, 1, 2, 3, 4, 5, 6].map((at) => isBorder(text, at))).toEqual([true, false, true, true, true, true, true]);
  });

  it('reuses and enlarges the room it is given', () => {
    const room = emptySqueezedText(4);
    expect(squeezeText('abcdefgh', room).length).toBe(8);
    const codes = room.codes;
    expect(squeezeText('xy', room)).toBe(room);
    expect(room.codes).toBe(codes);
    expect(room.length).toBe(2);
  });
});
