import { describe, expect, it } from 'vitest';
import { chooseLocale } from './choose-locale.js';

describe('chooseLocale', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['zh', 'zh'],
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['en;q=0.3, ZH-Hans;q=0.7', 'zh'],
    ['de, fr;q=0.9, zh;q=0.1', 'zh'],
    ['de', 'en'],
    ['zh;q=0', 'en'],
    [';;;,=,zh;q=x', 'zh'],
  ])('takes %j as %s', (header, locale) => {
    expect(chooseLocale(header)).toBe(locale);
  });
});
