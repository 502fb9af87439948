import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeUtf8, decodeUtf8Lines, invalidUtf8At } from './decode-utf8.js';

describe('decodeUtf8', () => {
  it('drops the byte order mark', () => {
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b))).toBe('{');
  });

  it('gives undefined for bytes that are not UTF-8', () => {
    expect(decodeUtf8(Uint8Array.of(0x61, 0xff))).toBeUndefined();
  });
});

describe('decodeUtf8Lines', () => {
  it('spoils only the line with the bad bytes', () => {
    const bytes = Uint8Array.of(0x61, 10, 0xff, 10, 0xc3, 0xa9, 10);
    expect([...decodeUtf8Lines(bytes)]).toEqual(['a', undefined, 'é', '']);
  });
});

describe('invalidUtf8At', () => {
  it.each([
    [[0xc0, 0x80], 0],
    [[0x61, 0xed, 0xa0, 0x80], 1],
    [[0xe0, 0x9f, 0xbf], 0],
    [[0xf4, 0x90, 0x80, 0x80], 0],
    [[0x61, 0x62, 0xe2, 0x82], 2],
    [[0xf0, 0x9f, 0x98, 0x80], -1],
  ])('finds the first bad byte of %j at %i', (bytes, at) => {
    expect(invalidUtf8At(Uint8Array.from(bytes))).toBe(at);
  });

  it('agrees with the decoder', () => {
    const byte = fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f),
    );
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 8 }), (bytes) => {
        const array = Uint8Array.from(bytes);
        expect(invalidUtf8At(array) === -1).toBe(decodeUtf8(array) !== undefined);
      }),
      { seed: 3, numRuns: 20_000 },
    );
  });
});
