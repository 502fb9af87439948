import { describe, expect, it } from 'vitest';
import { hashText } from './hash-text.js';

describe('hashText', () => {
  it('stays what it is, because stored identities are made of it', () => {
    expect([hashText(''), hashText('abc'), hashText('节点 not ready')]).toMatchInlineSnapshot(`
      [
        "8807bd6f3a94b43a028f83abc56f7141",
        "e8aa80cef073b8eb186645c4e8403cc8",
        "3e4450eb03e9168f1f75ad0c416a11e8",
      ]
    `);
  });

  it('tells 200,000 similar texts apart in each half of its digits', () => {
    const left = new Set<string>();
    const right = new Set<string>();
    for (let i = 0; i < 200_000; i++) {
      const hash = hashText(`["Pod","shop","web-${i}","Back-off"]`);
      left.add(hash.slice(0, 16));
      right.add(hash.slice(16));
    }
    expect([left.size, right.size]).toEqual([200_000, 200_000]);
  });

  it('spreads small changes over all digits', () => {
    let same = 0;
    for (let i = 0; i < 1_000; i++) {
      const a = hashText(`web-${i}`);
      const b = hashText(`web-${i + 1}`);
      for (let at = 0; at < 32; at++) if (a[at] === b[at]) same++;
    }
    expect(same / 32_000).toBeCloseTo(1 / 16, 1);
  });
});
