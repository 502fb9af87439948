import { describe, expect, it } from 'vitest';
import { mendTemplate } from './mend-template.js';

describe('mendTemplate', () => {
  it.each([
    ['{"A": "x","B": "y"}', { A: 'x', B: 'y' }],
    ['\n{\n\t"A": "x"\n\t"B": "y"\n}\n', { A: 'x', B: 'y' }],
    ['{"A": "one\ntwo","B": "y"}', { A: 'one\ntwo', B: 'y' }],
    ['{"A": "C:\\path\\x", "B": 12}', { A: 'C:\\path\\x', B: '12' }],
    ['{"A": "it says "no", twice", "B": "y"}', { A: 'it says "no", twice', B: 'y' }],
    ['{"A": "escaped \\"\\n\\u00e9", "B": "raw\nline"}', { A: 'escaped "\né', B: 'raw\nline' }],
    ['{"A": "ends in a comma,", "B": ""}', { A: 'ends in a comma,', B: '' }],
    ['{"A": "braces {a: 1} inside"}', { A: 'braces {a: 1} inside' }],
  ])('reads %j', (text, fields) => {
    expect(mendTemplate(text)).toEqual(fields);
  });

  it.each(['', '{}', 'A=x', '{"A"}', '[{"A": "x"}]', '{x "A": "y"}', '{"A": "x"', `{${'"A": "x",'.repeat(65)}}`])(
    'finds no fields in %j',
    (text) => {
      expect(mendTemplate(text)).toBeUndefined();
    },
  );

  it('takes time in proportion to the text, whatever it is made of', () => {
    for (const piece of ['"', '"A"', '"A" ', '"A":', '\\', '{', ' ']) {
      const started = performance.now();
      mendTemplate(`{"A":"${piece.repeat(500_000 / piece.length)}}`);
      expect(performance.now() - started).toBeLessThan(1_000);
    }
  });
});
