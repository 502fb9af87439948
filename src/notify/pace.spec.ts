import { describe, expect, it } from 'vitest';
import type { Pace } from './pace.js';
import { afterDigest, isDigestDue, paceMessages } from './pace.js';

const CALM: Pace = { windowAt: null, windowCount: 0, stormId: null, stormAt: null };
const LIMITS = { count: 3, span: 60_000 };

describe('paceMessages', () => {
  it('lets messages go one by one up to the limit of a window', () => {
    const first = paceMessages(CALM, LIMITS, 2, false, 1000, 'x');
    expect(first).toEqual({ single: 2, pace: { windowAt: 1000, windowCount: 2, stormId: null, stormAt: null } });
    expect(paceMessages(first.pace, LIMITS, 1, false, 2000, 'x')).toMatchObject({ single: 1, pace: { windowCount: 3, stormId: null } });
    expect(paceMessages(first.pace, LIMITS, 3, false, 61_000, 'x')).toMatchObject({ single: 3, pace: { windowAt: 61_000 } });
  });

  it('gathers the rest, and all that follows until the digest is told', () => {
    const storm = paceMessages(CALM, LIMITS, 5, false, 1000, 'storm');
    expect(storm).toMatchObject({ single: 3, pace: { stormId: 'storm', stormAt: 1000 } });
    expect(paceMessages(storm.pace, LIMITS, 1, false, 90_000, 'other')).toEqual({ single: 0, pace: storm.pace });
  });

  it('gathers everything while too much waits', () => {
    expect(paceMessages(CALM, LIMITS, 1, true, 1000, 'full')).toMatchObject({ single: 0, pace: { stormId: 'full' } });
  });
});

describe('isDigestDue', () => {
  it('comes a window after the storm began', () => {
    const storm = { ...CALM, stormId: 's', stormAt: 1000 };
    expect([isDigestDue(storm, LIMITS, 60_999), isDigestDue(storm, LIMITS, 61_000), isDigestDue(CALM, LIMITS, 61_000)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('afterDigest', () => {
  it('goes on gathering while it storms, and ends when few have come', () => {
    expect(afterDigest(LIMITS, 4, 5000, 'next')).toMatchObject({ stormId: 'next', stormAt: 5000 });
    expect(afterDigest(LIMITS, 3, 5000, 'next')).toEqual(CALM);
  });
});
