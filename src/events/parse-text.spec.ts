import { describe, expect, it } from 'vitest';
import { BrokenElement } from './broken-element.js';
import { parseText } from './parse-text.js';
import type { WireFormat } from './wire-format.js';

function parse(text: string): unknown[] {
  return parseText(text, []).map((element) => (element instanceof BrokenElement ? element.reason : element));
}

describe('parseText', () => {
  it.each([
    ['{"a":1}', [{ a: 1 }]],
    ['\ufeff{"a":1}', [{ a: 1 }]],
    ['{\n  "a": 1\n}\n', [{ a: 1 }]],
    ['[{"a":1}]', [[{ a: 1 }]]],
    ['{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['{"a":1}\r\n\r\n  {"a":2}\r\n', [{ a: 1 }, { a: 2 }]],
    ['{"a":1}{"a":2} {"a":3}', [{ a: 1 }, { a: 2 }, { a: 3 }]],
    ['{\n  "a": [\n    {}\n  ]\n}\n{\n  "a": 2\n}\n', [{ a: [{}] }, { a: 2 }]],
    ['{ "a":\n1 }\n{ "a":\n2 }', [{ a: 1 }, { a: 2 }]],
    ['[1]\n[2]', [[1], [2]]],
    ['1\n"two"\nnull', [1, 'two', null]],
  ])('cuts %j into elements', (text, elements) => {
    expect(parse(text)).toEqual(elements);
  });

  it.each([
    ['{"a":1}\nnot json\n{"a":3}', [{ a: 1 }, 'not JSON: line 2, column 1: a JSON value was expected, found "n"', { a: 3 }]],
    ['oops\n{"a":3}', ['not JSON: line 1, column 1: a JSON value was expected, found "o"', { a: 3 }]],
    ['{"a":1}\n\n{"a":2', [{ a: 1 }, "not JSON: line 3, column 7: ',' or '}' was expected, found the end"]],
    ['{"a":1}\n{"abcdefgh":2}}\n{"a":3}', [{ a: 1 }, 'not JSON: line 2, column 15: the end of the line was expected, found "}"', { a: 3 }]],
    ['{"a":1}{"a":2}\n{"a":3}', [{ a: 1 }, { a: 2 }, { a: 3 }]],
    [
      '{\n "a": 1\n}\n{\n "a": 2,\n',
      [{ a: 1 }, 'the body is not JSON from here on: line 6, column 1: a quoted key was expected, found the end'],
    ],
  ])('keeps the good pieces of %j', (text, elements) => {
    expect(parse(text)).toEqual(elements);
  });

  it('reads good lines among very many broken ones', () => {
    const elements = parse(`{"a":0}\n${'{}}\n'.repeat(20_000)}{"a":1}`);
    expect(elements).toHaveLength(20_002);
    expect(elements.at(-1)).toEqual({ a: 1 });
  });

  it.each([
    ['', 'EMPTY_BODY', 'The body is empty'],
    ['\ufeff \r\n\t', 'EMPTY_BODY', 'The body is empty'],
    ['hello', 'NOT_JSON', 'The body is not JSON: line 1, column 1: a JSON value was expected, found "h"'],
    ['hello\nworld', 'NOT_JSON', 'line 1, column 1'],
    ['{"kind":"List","items":[{"a":1},', 'NOT_JSON', 'line 1, column 33: a JSON value was expected, found the end'],
    ['{\n  "a": [\n    {"b":1}\n', 'NOT_JSON', "line 4, column 1: ',' or ']' was expected, found the end"],
    ['EventType=Warning&EventReason=x', 'NOT_JSON', 'found "E"'],
    ['<html>', 'NOT_JSON', 'found "<"'],
    ['42', 'UNKNOWN_SHAPE', 'The body is 42; a Kubernetes Event, a list of Events, or one JSON object per line was expected.'],
    ['"text"', 'UNKNOWN_SHAPE', 'The body is "text"'],
    ['null', 'UNKNOWN_SHAPE', 'The body is null'],
  ])('cannot read %j: %s', (text, code, sentence) => {
    expect(() => parseText(text, [])).toThrow(
      expect.objectContaining({ name: 'UnreadableBodyError', code, message: expect.stringContaining(sentence) }),
    );
  });

  it('leaves a body that is not JSON to the format that knows it', () => {
    const format: WireFormat = {
      names: ['pipes'],
      recognises: () => false,
      read: () => ({ type: 'nothing' }),
      split: (text) => (text.startsWith('|') ? text.slice(1).split('|') : undefined),
    };
    expect(parseText('|a|b', [format])).toEqual(['a', 'b']);
    expect(() => parseText('a|b', [format])).toThrow('not JSON');
  });
});
