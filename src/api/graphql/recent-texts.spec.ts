import { describe, expect, it } from 'vitest';
import { RecentTexts } from './recent-texts.js';

function remembering(limits: { texts: number; characters: number; each: number }, ...texts: string[]): RecentTexts {
  const recent = new RecentTexts(limits);
  for (const text of texts) recent.set(text, text);
  return recent;
}
const kept = (recent: RecentTexts, ...keys: string[]): string[] => keys.filter((key) => recent.get(key) === key);

describe('RecentTexts', () => {
  it('forgets what was asked for longest ago when there are too many', () => {
    const recent = remembering({ texts: 2, characters: 100, each: 100 }, 'a', 'b');
    recent.get('a');
    recent.set('c', 'c');
    expect(kept(recent, 'a', 'b', 'c')).toEqual(['a', 'c']);
  });

  it('forgets as many as a long one needs room', () => {
    const recent = remembering({ texts: 10, characters: 6, each: 5 }, 'aa', 'bb', 'cc', 'ddd');
    expect(kept(recent, 'aa', 'bb', 'cc', 'ddd')).toEqual(['cc', 'ddd']);
  });

  it('counts a text once that is remembered again', () => {
    const recent = remembering({ texts: 10, characters: 4, each: 4 }, 'aa', 'bb', 'bb', 'bb');
    expect(kept(recent, 'aa', 'bb')).toEqual(['aa', 'bb']);
  });

  it('does not remember what is too long, and keeps the others for it', () => {
    const recent = remembering({ texts: 10, characters: 10, each: 3 }, 'aa', 'bbbb');
    expect(kept(recent, 'aa', 'bbbb')).toEqual(['aa']);
  });
});
