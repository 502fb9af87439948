import { describe, expect, it } from 'vitest';
import type { EndSigns } from './assume-end.js';
import { assumeEnd, isAssumed } from './assume-end.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-03-02T12:00:00Z');
const PAIRED = { clears: { by: 'paired', on: ['NodeReady'] } } as const;
const QUIET = { clears: { by: 'quiet', quiet: '30m' } } as const;

function signs(said: Partial<Omit<EndSigns, 'incident'>> & { incident: Partial<EndSigns['incident']> }): EndSigns {
  return {
    problem: PAIRED as unknown as EndSigns['problem'],
    episodes: [],
    health: { status: 'TALKING', lastHeardAt: NOW },
    ...said,
    incident: { status: 'open', lastSeenAt: NOW - 2 * HOUR, resolvedAt: null, resolvedBy: null, ...said.incident },
  };
}

describe('assumeEnd', () => {
  it('says of an end by quiet whether a success event was missed', () => {
    const incident = { status: 'resolved', resolvedAt: NOW - HOUR, resolvedBy: 'QUIET' };
    expect(assumeEnd(signs({ incident }), NOW)).toMatchObject({ reason: 'NO_SUCCESS_EVENT', since: NOW - HOUR });
    expect(assumeEnd(signs({ incident, problem: QUIET as unknown as EndSigns['problem'] }), NOW)).toMatchObject({ reason: 'QUIET_ONLY' });
    expect(assumeEnd(signs({ incident, problem: undefined }), NOW)).toMatchObject({ reason: 'QUIET_ONLY' });
  });

  it('says nothing of an end that was told of', () => {
    for (const resolvedBy of ['SUCCESS_EVENT', 'OBJECT_GONE', 'MANUAL'])
      expect(assumeEnd(signs({ incident: { status: 'resolved', resolvedAt: NOW, resolvedBy } }), NOW)).toBeNull();
  });

  it('says of an open one that its cluster is silent', () => {
    const health = { status: 'SILENT', lastHeardAt: NOW - HOUR } as const;
    expect(assumeEnd(signs({ incident: {}, health }), NOW)).toEqual({
      reason: 'CLUSTER_SILENT',
      since: NOW - HOUR,
      text: 'Its cluster is silent since 2026-03-02T11:00:00.000Z: it may have ended meanwhile.',
    });
  });

  it('takes a success for overdue after three times the longest episode that one ended, or after a day', () => {
    const episodes = [
      { startedAt: NOW - 2 * HOUR, endedAt: null, resolution: null },
      { startedAt: NOW - 20 * HOUR, endedAt: NOW - 19.5 * HOUR, resolution: 'SUCCESS_EVENT' },
      { startedAt: NOW - 40 * HOUR, endedAt: NOW - 25 * HOUR, resolution: 'QUIET' },
    ];
    expect(assumeEnd(signs({ incident: {}, episodes }), NOW)).toMatchObject({ reason: 'SUCCESS_OVERDUE', since: NOW - 0.5 * HOUR });
    expect(assumeEnd(signs({ incident: {} }), NOW)).toBeNull();
    expect(assumeEnd(signs({ incident: { lastSeenAt: NOW - 25 * HOUR } }), NOW)).toMatchObject({ since: NOW - HOUR });
  });

  it('expects no success of what only quiet ends', () => {
    expect(assumeEnd(signs({ incident: { lastSeenAt: 0 }, problem: QUIET as unknown as EndSigns['problem'] }), NOW)).toBeNull();
  });
});

describe('isAssumed', () => {
  it('is true of quiet alone', () => {
    expect([null, 'QUIET', 'SUCCESS_EVENT', 'OBJECT_GONE', 'MANUAL'].map((resolution) => isAssumed({ resolution }))).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
  });
});
