import { describe, expect, it } from 'vitest';
import { readWatchLine } from './read-watch-line.js';

describe('readWatchLine', () => {
  const object = { kind: 'Event', metadata: { uid: 'a', resourceVersion: '17' } };

  it.each([
    ['ADDED', { type: 'change', deleted: false, object, position: '17' }],
    ['MODIFIED', { type: 'change', deleted: false, object, position: '17' }],
    ['DELETED', { type: 'change', deleted: true, object, position: '17' }],
    ['BOOKMARK', { type: 'bookmark', position: '17' }],
  ])('reads %s', (type, line) => {
    expect(readWatchLine(JSON.stringify({ type, object }))).toEqual(line);
  });

  it('takes an ERROR for the end, with its code or as the fault of the server', () => {
    expect(readWatchLine('{"type":"ERROR","object":{"kind":"Status","code":410}}')).toMatchObject({ type: 'error', status: 410 });
    expect(readWatchLine('{"type":"ERROR","object":null}')).toMatchObject({ type: 'error', status: 500 });
  });

  it.each(['{"type":"ADD', '[]', 'null', '{"type":"RENAMED","object":{}}', '"ADDED"'])('calls %s broken', (text) => {
    expect(readWatchLine(text)).toMatchObject({ type: 'broken', reason: expect.stringMatching(/^the line is no/) as string, text });
  });

  it('has no position where the object has none', () => {
    expect(readWatchLine('{"type":"BOOKMARK","object":{"metadata":null}}')).toEqual({ type: 'bookmark', position: undefined });
  });
});
