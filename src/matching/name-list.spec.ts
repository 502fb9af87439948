import { describe, expect, it } from 'vitest';
import { acceptsName, compileNames, namesName } from './name-list.js';

describe('acceptsName', () => {
  it('takes names whole, in any letter case of the list, with wildcards', () => {
    const list = compileNames(['Kubelet', '*-controller', 'a*b*c']);
    expect(['kubelet', 'service-controller', 'abc', 'axxbxxc'].map((name) => acceptsName(list, name))).toEqual([true, true, true, true]);
    expect(['kubelet2', 'controller', 'ac', 'acb', 'xabc'].map((name) => acceptsName(list, name))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it('accepts everybody with a bare wildcard, which names nobody', () => {
    const list = compileNames(['*']);
    expect(acceptsName(list, 'anyone')).toBe(true);
    expect(namesName(list, 'anyone')).toBe(false);
  });
});
