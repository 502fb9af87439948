import { describe, expect, it } from 'vitest';
import { LineBuffer } from './line-buffer.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('LineBuffer', () => {
  it('gives whole lines wherever the stream is cut, even within a character', () => {
    const whole = bytes('{"a":"北京"}\r\n\n{"b":2}\n{"c"');
    for (let cut = 0; cut <= whole.length; cut++) {
      const buffer = new LineBuffer(100);
      const lines = [...buffer.take(whole.subarray(0, cut)), ...buffer.take(whole.subarray(cut))];
      expect(lines).toEqual([
        { type: 'line', text: '{"a":"北京"}\r' },
        { type: 'line', text: '{"b":2}' },
      ]);
    }
  });

  it('skips a line that is too long, says so, and goes on with the next', () => {
    const buffer = new LineBuffer(10);
    expect([...buffer.take(bytes('x'.repeat(8)))]).toEqual([]);
    expect([...buffer.take(bytes('y'.repeat(8)))]).toEqual([]);
    expect([...buffer.take(bytes('z\n0123456789\n'))]).toEqual([
      { type: 'too-long', bytes: 17, beginning: 'xxxxxxxxyyyyyyyy' },
      { type: 'line', text: '0123456789' },
    ]);
  });
});
