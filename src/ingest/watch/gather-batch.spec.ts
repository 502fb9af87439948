import { describe, expect, it } from 'vitest';
import { batchOfItems, batchOfLines } from './gather-batch.js';
import { readWatchLine } from './read-watch-line.js';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const event = (uid: string, resourceVersion: string): object => ({
  metadata: { uid, resourceVersion, name: uid, namespace: 'shop', creationTimestamp: '2026-03-02T09:00:00Z' },
  involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web' },
  reason: 'BackOff',
  message: 'no',
});
const line = (type: string, object: unknown) => readWatchLine(JSON.stringify({ type, object }));

describe('batchOfItems', () => {
  it('reads events and tells what is none, by its place', () => {
    const batch = batchOfItems([event('a', '1'), 7, event('b', '2')], '9', NOW);
    expect(batch.events.map(({ uid }) => uid)).toEqual(['a', 'b']);
    expect(batch.rejected).toEqual([{ index: 1, reason: expect.stringContaining('7') as string }]);
    expect(batch.position).toBe('9');
  });
});

describe('batchOfLines', () => {
  it('keeps what expired apart and ends at the latest position', () => {
    const batch = batchOfLines([line('ADDED', event('a', '5')), line('DELETED', event('b', '6')), line('BOOKMARK', event('', '8'))], NOW);
    expect(batch.events.map(({ uid }) => uid)).toEqual(['a']);
    expect(batch.deleted.map(({ uid }) => uid)).toEqual(['b']);
    expect(batch.position).toBe('8');
  });

  it('goes on after a broken line and tells of it', () => {
    const batch = batchOfLines([line('ADDED', event('a', '5')), readWatchLine('{"type"')], NOW);
    expect(batch.position).toBe('5');
    expect(batch.rejected).toEqual([{ index: 1, reason: 'the line is not JSON' }]);
  });
});
