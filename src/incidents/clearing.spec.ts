import { describe, expect, it } from 'vitest';
import type { ClusterEvent, EventObject } from '../events/cluster-event.js';
import type { Clears } from '../knowledge/problem-file.js';
import type { Problem } from '../knowledge/problem.js';
import { compileClearing, expectedTokens, signalsOf } from './clearing.js';

function problemOf(clears: Clears, objectKinds = ['Pod']): Problem {
  const text = { en: 'x', zh: 'x' };
  return {
    id: 'kubernetes/test/one',
    provider: 'kubernetes',
    area: 'test',
    file: '',
    title: text,
    summary: text,
    consequence: text,
    severity: 'error',
    objectKinds,
    clears,
    scope: 'object',
    transient: false,
    fallback: false,
    recognise: [],
    causes: [],
    related: [],
    references: [],
    examples: { match: [], noMatch: [] },
  };
}

function eventOf(fields: Partial<Omit<ClusterEvent, 'object'>> & { object?: Partial<EventObject> }): ClusterEvent {
  const { object, ...rest } = fields;
  return {
    uid: 'u',
    reason: '',
    message: '',
    type: 'Normal',
    reporter: '',
    host: '',
    count: 1,
    firstAt: 1000,
    lastAt: 1000,
    timed: true,
    object: { kind: 'Pod', namespace: 'shop', name: 'web', uid: '', container: 'app', ...object },
    ...rest,
  };
}

const success = (...on: (Clears & { by: 'success-event' })['on']): Clears => ({ by: 'success-event', on });

describe('signalsOf', () => {
  const clearing = compileClearing([
    problemOf(success('Pulled')),
    problemOf(success({ type: 'Normal', reporters: ['l7-lb-controller'] }), ['Ingress']),
    problemOf(success({ message: 'Node condition {condition} is now: False' }), ['Node']),
  ]);
  const ingress = (fields: Partial<ClusterEvent>, showsProblem = false): number =>
    signalsOf(eventOf({ ...fields, object: { kind: 'Ingress' } }), showsProblem, clearing).length;

  it('hears a reason on the kinds that it ends something on, with the container', () => {
    expect(signalsOf(eventOf({ reason: 'Pulled' }), false, clearing)).toEqual([
      { objectKey: 'Pod/shop/web', container: 'app', token: 'pulled', at: 1000 },
    ]);
    expect(signalsOf(eventOf({ reason: 'Pulled', object: { kind: 'Service' } }), false, clearing)).toEqual([]);
    expect(signalsOf(eventOf({ reason: 'Created' }), false, clearing)).toEqual([]);
  });

  it('hears the first and the latest happening of an Event that happened more than once', () => {
    expect(signalsOf(eventOf({ reason: 'Pulled', count: 4, lastAt: 9000 }), false, clearing).map(({ at }) => at)).toEqual([1000, 9000]);
  });

  it('takes any Normal event of the named components, but none that shows a problem or tells of work begun', () => {
    expect(ingress({ reason: 'Whatever', reporter: 'l7-lb-controller' })).toBe(1);
    expect(ingress({ reason: 'Whatever' })).toBe(1);
    expect(ingress({ reason: 'Whatever', reporter: 'nginx-ingress-controller' })).toBe(0);
    expect(ingress({ reason: 'Whatever', type: 'Warning' })).toBe(0);
    expect(ingress({ reason: 'EnsuringIngress' })).toBe(0);
    expect(ingress({ reason: 'Whatever' }, true)).toBe(0);
  });

  it('puts what it captures into the token, so that one condition does not end another', () => {
    const [signal] = signalsOf(
      eventOf({ message: 'Node condition DiskBad is now: False, reason: Fine', object: { kind: 'Node', namespace: '', name: 'n' } }),
      false,
      clearing,
    );
    const problem = problemOf(success({ message: 'Node condition {condition} is now: False' }), ['Node']);
    expect(expectedTokens(problem, { condition: 'DiskBad' })).toEqual([signal!.token]);
    expect(expectedTokens(problem, { condition: 'Other' })).not.toEqual([signal!.token]);
  });

  it.each([
    [{ reason: 'SuccessfulDelete', message: 'Deleted pod: web-1', object: { kind: 'ReplicaSet', name: 'web' } }, 'Pod/shop/web-1'],
    [
      { reason: 'SuccessfulDelete', message: 'delete Pod db-0 in StatefulSet db successful', object: { kind: 'StatefulSet', name: 'db' } },
      'Pod/shop/db-0',
    ],
    [
      {
        reason: 'RemovingNode',
        message: 'Node n event: Removing Node n from Controller',
        object: { kind: 'Node', namespace: '', name: 'n' },
      },
      'Node//n',
    ],
    [{ reason: 'Any', message: '', object: { deleted: true } }, 'Pod/shop/web'],
  ])('knows that an object is gone (%#)', (fields, objectKey) => {
    expect(signalsOf(eventOf(fields), false, clearing)).toContainEqual({ objectKey, container: '', token: '@gone', at: 1000 });
  });

  it('takes nothing of an object without a name for the end of anything', () => {
    const named = eventOf({ reason: 'RemovingNode', message: 'm', object: { kind: 'Node', namespace: '', name: 'n', deleted: true } });
    expect(signalsOf(named, false, clearing)).not.toEqual([]);
    expect(signalsOf({ ...named, object: { ...named.object, name: '' } }, false, clearing)).toEqual([]);
  });

  it('knows the end of an alert by its fingerprint, and no end in an alert that fires', () => {
    const alert = { fingerprint: 'c4c0a6c4', resolved: true };
    expect(signalsOf(eventOf({ reason: 'KubePodNotReady', alert }), false, clearing)).toEqual([
      { objectKey: 'Pod/shop/web', container: '', token: '@alert:c4c0a6c4', at: 1000 },
    ]);
    expect(signalsOf(eventOf({ reason: 'KubePodNotReady', alert: { ...alert, resolved: false } }), false, clearing)).toEqual([]);
  });

  it('knows an ending by its token however long that is', () => {
    const reporters = Array.from({ length: 40 }, (_, i) => `some-controller-${i}`);
    const problem = problemOf(success({ type: 'Normal', reporters }));
    const [signal] = signalsOf(eventOf({ reason: 'Fine', reporter: 'some-controller-7' }), false, compileClearing([problem]));
    expect(expectedTokens(problem, {})).toEqual([signal!.token]);
    expect(signal!.token.length).toBeLessThanOrEqual(200);
  });
});
