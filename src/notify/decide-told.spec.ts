import { describe, expect, it } from 'vitest';
import type { Told } from '../store/webhook.js';
import type { Happening, Patience, Standing } from './decide-told.js';
import { decideDue, decideTold, SILENCE_RECHECK } from './decide-told.js';

const NOW = 1_000_000;
const OPENED: Happening = { kind: 'OPENED', status: 'open', escalated: false };
const REOPENED: Happening = { kind: 'REOPENED', status: 'open', escalated: false };
const RESOLVED: Happening = { kind: 'RESOLVED', status: 'resolved', escalated: false };
const ACKNOWLEDGED: Happening = { kind: 'ACKNOWLEDGED', status: 'acknowledged', escalated: false };
const CLEAR: Standing = { wanted: true, silenced: false, now: NOW };
const ALL: Patience = { kinds: ['OPENED', 'REOPENED', 'RESOLVED', 'ACKNOWLEDGED'], hold: 0, flap: 0 };
const TOLD: Told = { state: 'told', kind: 'OPENED', dueAt: null, recoveredAt: null, deliveryId: 'd', counted: false };

/** What is told of some happenings, one after the other at their times. */
function story(patience: Patience, ...steps: readonly (readonly [number, Happening | 'due', Partial<Standing>?])[]): string[] {
  let told: Told | undefined;
  return steps.map(([at, happening, standing]) => {
    const here = { ...CLEAR, ...standing, now: NOW + at };
    const decided = happening === 'due' ? decideDue(told!, 'open', here, patience) : decideTold(told, happening, here, patience);
    told = decided.told;
    return decided.tell ?? '-';
  });
}

describe('decideTold', () => {
  it('tells a failure, what happens to it and its end', () => {
    expect(story(ALL, [0, OPENED], [1, ACKNOWLEDGED], [2, RESOLVED], [3, REOPENED], [4, RESOLVED])).toEqual([
      'OPENED',
      'ACKNOWLEDGED',
      'RESOLVED',
      'REOPENED',
      'RESOLVED',
    ]);
  });

  it('tells nothing of an incident whose failure was not told', () => {
    expect(story(ALL, [0, OPENED, { wanted: false }], [1, ACKNOWLEDGED], [2, RESOLVED])).toEqual(['-', '-', '-']);
  });

  it('tells the end of a failure that was told although it is silenced or filtered out by now', () => {
    expect(story(ALL, [0, OPENED], [1, RESOLVED, { wanted: false, silenced: true }])).toEqual(['OPENED', 'RESOLVED']);
  });

  it('tells an end once', () => {
    expect(story(ALL, [0, OPENED], [1, RESOLVED], [2, RESOLVED])).toEqual(['OPENED', 'RESOLVED', '-']);
  });

  it('holds a failure, and forgets one that ends meanwhile', () => {
    const patience = { ...ALL, hold: 60_000 };
    expect(decideTold(undefined, OPENED, CLEAR, patience).told).toMatchObject({ state: 'held', dueAt: NOW + 60_000 });
    expect(story(patience, [0, OPENED], [1, ACKNOWLEDGED], [2, RESOLVED], [3, OPENED], [60_003, 'due'], [60_004, RESOLVED])).toEqual([
      '-',
      '-',
      '-',
      '-',
      'OPENED',
      'RESOLVED',
    ]);
  });

  it('folds what comes back within the flap time of its told end, and tells it if it outlasts that', () => {
    const patience = { ...ALL, flap: 300_000 };
    const steps = [
      [0, OPENED],
      [1000, RESOLVED],
      [2000, REOPENED],
      [3000, RESOLVED],
      [4000, REOPENED],
    ] as const;
    expect(story(patience, ...steps, [301_000, 'due'], [400_000, RESOLVED], [800_000, REOPENED])).toEqual([
      'OPENED',
      'RESOLVED',
      '-',
      '-',
      '-',
      'REOPENED',
      'RESOLVED',
      'REOPENED',
    ]);
    const held = decideTold({ ...TOLD, state: 'recovered', recoveredAt: NOW - 1000 }, REOPENED, CLEAR, patience);
    expect(held.told).toMatchObject({ state: 'held', dueAt: NOW - 1000 + 300_000 });
  });

  it('looks again at a silenced failure, and tells it when it outlasts the silence', () => {
    expect(decideTold(undefined, OPENED, { ...CLEAR, silenced: true }, ALL).told).toMatchObject({
      state: 'held',
      dueAt: NOW + SILENCE_RECHECK,
    });
    expect(story(ALL, [0, OPENED, { silenced: true }], [60_000, 'due', { silenced: true }], [120_000, 'due']).at(-1)).toBe('OPENED');
    expect(story(ALL, [0, OPENED, { silenced: true }], [1, RESOLVED])).toEqual(['-', '-']);
  });

  it('tells a failure that comes to be wanted by its severity', () => {
    const worse: Happening = { kind: 'UPDATED', status: 'open', escalated: true };
    expect(story(ALL, [0, OPENED, { wanted: false }], [1, worse], [2, RESOLVED])).toEqual(['-', 'OPENED', 'RESOLVED']);
    expect(story(ALL, [0, OPENED, { wanted: false }], [1, { ...worse, escalated: false }])).toEqual(['-', '-']);
  });

  it('tells only the kinds of change that are wanted, and knows of the end anyway', () => {
    const patience: Patience = { kinds: ['OPENED'], hold: 0, flap: 0 };
    expect(story(patience, [0, OPENED], [1, ACKNOWLEDGED], [2, RESOLVED], [3, REOPENED], [4, OPENED])).toEqual([
      'OPENED',
      '-',
      '-',
      '-',
      'OPENED',
    ]);
  });
});

describe('decideDue', () => {
  const held: Told = { ...TOLD, state: 'held', dueAt: NOW, deliveryId: null };

  it('tells nothing of what the filter leaves out by now', () => {
    expect(decideDue(held, 'open', { ...CLEAR, wanted: false }, ALL)).toMatchObject({ told: undefined, tell: undefined });
    const again = { ...held, recoveredAt: NOW - 1000 };
    expect(decideDue(again, 'open', { ...CLEAR, wanted: false }, ALL).told).toMatchObject({ state: 'recovered', dueAt: null });
  });

  it('tells nothing of an incident that has ended or is gone', () => {
    expect(decideDue(held, 'resolved', CLEAR, ALL)).toMatchObject({ told: undefined, tell: undefined });
    expect(decideDue(held, undefined, CLEAR, ALL)).toMatchObject({ told: undefined, tell: undefined });
  });
});
