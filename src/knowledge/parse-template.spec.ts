import { describe, expect, it } from 'vitest';
import { namesInTemplate, parseTemplate } from './parse-template.js';

describe('parseTemplate', () => {
  it('reads placeholders, digits, free text and literal braces', () => {
    const parts = parseTemplate('{count:int} node(s) had taint {{{taint}: {*}}}, bye');
    expect(parts).toEqual([
      { digits: 'count' },
      { literal: ' node(s) had taint {' },
      { capture: 'taint' },
      { literal: ': ' },
      { any: true },
      { literal: '}, bye' },
    ]);
    expect(namesInTemplate(parts)).toEqual(['count', 'taint']);
  });

  it.each([
    ['a {b', 'a "{" without its "}"'],
    ['a } b', 'a "}" without its "{"'],
    ['a {b c} d', '"{b c}" is no placeholder'],
    ['a {} d', '"{}" is no placeholder'],
    ['{a}', 'the template has no literal text'],
    ['x {a} {b} y', 'two placeholders side by side'],
    ['x {a}{*} y', 'two placeholders side by side'],
    ['x {a} y {a}', '{a} stands twice'],
    ['x {n:int} 5', 'digits cannot follow {n:int}'],
    ['x {a} {n:int} y', 'two placeholders side by side'],
    ['{n:int}{*} y', '{n:int} needs literal text beside it'],
  ])('refuses %s', (text, message) => {
    expect(() => parseTemplate(text)).toThrow(message);
  });
});
