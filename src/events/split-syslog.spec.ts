import { describe, expect, it } from 'vitest';
import { BrokenElement } from './broken-element.js';
import { splitSyslog } from './split-syslog.js';

const split = (text: string) =>
  splitSyslog(Buffer.from(text))?.map((element) => (element instanceof BrokenElement ? element.reason : element));

describe('splitSyslog', () => {
  it.each([
    ['24 <24>1 - - - - - - {"a":1}', [{ a: 1 }]],
    ['29 <24>1 - - - - - - {"a":"é"}  \n\n<24>1 - - - - - - {"a":2}\r\n', [{ a: 'é' }, { a: 2 }]],
    ['<191>1 2026-06-01T11:00:00Z h app 1 id [x@1 k="a]\\" b"][y@1] {"a":1}', [{ a: 1 }]],
    ['<24>1 - - - - - - \ufeff{"a":1}', [{ a: 1 }]],
    ['<24>1 - - - - - -', ['syslog message 1 holds no JSON; eventrouter writes {"verb","event"}']],
    ['<24>1 - - -', ['syslog message 1 does not begin as RFC 5424 says']],
    ['<24>1 - - - - - - {"a":1}\nnoise\n', [{ a: 1 }, 'syslog message 2 does not begin as RFC 5424 says']],
  ])('cuts %j', (text, elements) => {
    expect(split(text)).toEqual(elements);
  });

  it.each(['', ' \n', '{"a":1}', '12', '12 {"a":1}', '<html>', '<24>2 - - - - - - x', '1234567890 <24>1 - - - - - - {}'])(
    'leaves %j to others',
    (text) => {
      expect(split(text)).toBeUndefined();
    },
  );

  it('takes time in proportion to the body', () => {
    for (const piece of ['<24>1 - - - - - - {}}\n', '1 <24>1 \n', '9 ', '<24>1 - - - - - [', '"\\']) {
      const started = performance.now();
      splitSyslog(Buffer.from(`<24>1 ${piece.repeat(2_000_000 / piece.length)}`));
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });

  it('takes time in proportion to the body where many lengths lead into one run of spaces', () => {
    const first = '<24>1 - - - - - - {}\n';
    const lines = 50_000;
    const spaces = first.length + lines * 11;
    const length = (line: number): string => String(spaces - (first.length + line * 11 + 9)).padStart(8, '0');
    const body = first + Array.from({ length: lines }, (_, line) => `${length(line)} <\n`).join('') + ' '.repeat(500_000) + 'x';
    const started = performance.now();
    splitSyslog(Buffer.from(body));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
