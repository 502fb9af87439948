import { describe, expect, it } from 'vitest';
import type { Problem } from '../knowledge/problem.js';
import { Rule } from '../knowledge/problem-file.js';
import { problemOf } from '../../test/support/problem-of.js';
import { compileMatcher } from './compile-matcher.js';
import type { Diagnosis } from './diagnosis.js';
import type { MatchContext } from './event-facts.js';
import { matchEvent } from './match-event.js';
import { matchNaively } from './match-naively.js';

interface Fields {
  kind?: string;
  reason?: string;
  type?: string;
  reporter?: string;
  message?: string;
}

function diagnose(
  problems: Problem[],
  { kind = '', reason = '', type = '', reporter = '', message = '' }: Fields,
  context: MatchContext = {},
): Diagnosis[] {
  const event = { reason, type, reporter, message, object: { kind } };
  const diagnoses = matchEvent(compileMatcher(problems), event, context);
  expect(matchNaively(problems, event, context)).toEqual(diagnoses);
  return diagnoses;
}

const ids = (diagnoses: Diagnosis[]): string[] => diagnoses.map(({ problem }) => problem);

describe('matchEvent', () => {
  const ingress = problemOf('tke/ingress/E4011', {
    objectKinds: ['Ingress'],
    recognise: [
      { code: 'E4011', reporters: ['*lb-controller'] },
      { message: 'Secret {secret} has no qcloud cert id', reporters: ['*lb-controller'] },
    ],
  });
  const service = problemOf('tke/service/E4011', {
    objectKinds: ['Service'],
    recognise: [{ code: 'E4011', reporters: ['service-controller'] }],
  });

  it('tells a code apart by the kind, and adds what other rules captured', () => {
    const message = 'Ingress Sync ClientError. ErrorCode: E4011 Details: Secret web-tls has no qcloud cert id';
    const [first, ...others] = diagnose([service, ingress], { kind: 'Ingress', reporter: 'l7-lb-controller', message });
    expect(others).toEqual([]);
    expect(first).toEqual({
      problem: 'tke/ingress/E4011',
      confidence: 0.95,
      matchedOn: 'code E4011 on Ingress, reporter l7-lb-controller',
      captured: { secret: 'web-tls' },
    });
    expect(ids(diagnose([service, ingress], { kind: 'Service', message }))).toEqual(['tke/service/E4011']);
  });

  it('never decides by the code alone', () => {
    const message = 'ErrorCode: E4011';
    expect(diagnose([ingress], { message })).toEqual([]);
    expect(diagnose([ingress], { message, reporter: 'payment' })).toEqual([]);
    expect(diagnose([ingress], { kind: 'Ingress', reporter: 'payment', message })).toEqual([]);
    expect(diagnose([ingress], { kind: 'Pod', reporter: 'l7-lb-controller', message })).toEqual([]);
    expect(ids(diagnose([ingress], { message, reporter: 'l7-lb-controller' }))).toEqual(['tke/ingress/E4011']);
  });

  it('rules a vendor out in the clusters of another', () => {
    const event = { kind: 'Ingress', message: 'ErrorCode: E4011' };
    expect(ids(diagnose([ingress], event, { provider: 'tke' }))).toEqual(['tke/ingress/E4011']);
    expect(ids(diagnose([ingress], event, { provider: 'tke-serverless' }))).toEqual(['tke/ingress/E4011']);
    expect(diagnose([ingress], event, { provider: 'ack' })).toEqual([]);
    expect(diagnose([ingress], event, { provider: 'kubernetes' })).toEqual([]);
  });

  it('prefers the vendor of the cluster, and upstream where it is not known', () => {
    const rule = { reason: 'UnAvailableLoadBalancer', message: 'There are no available nodes for LoadBalancer' };
    const ack = problemOf('ack/service/no-available-backends', { objectKinds: ['Service'], recognise: [rule] });
    const upstream = problemOf('kubernetes/load-balancer/no-available-nodes', { objectKinds: ['Service'], recognise: [rule] });
    const event = { kind: 'Service', reason: 'UnAvailableLoadBalancer', message: 'There are no available nodes for LoadBalancer' };
    expect(ids(diagnose([ack, upstream], event, { provider: 'ack' }))).toEqual([ack.id]);
    expect(ids(diagnose([ack, upstream], event, { provider: 'tke' }))).toEqual([upstream.id]);
    expect(ids(diagnose([ack, upstream], event))).toEqual([upstream.id, ack.id]);
  });

  it('drops a text inside a longer one, and keeps texts side by side', () => {
    const general = problemOf('kubernetes/a/general', { recognise: [{ message: 'rules invalid.' }] });
    const empty = problemOf('kubernetes/a/empty', { recognise: [{ message: "Ingress rules invalid. '{field}' is empty." }] });
    const other = problemOf('kubernetes/a/other', { recognise: [{ message: 'quota used up' }] });
    const message = "Ingress rules invalid. 'spec.rules.http' is empty. quota used up";
    expect(ids(diagnose([general, empty, other], { message }))).toEqual([empty.id, other.id]);
    expect(ids(diagnose([general, empty, other], { message: 'Ingress rules invalid.' }))).toEqual([general.id]);
  });

  it('reports a fallback only where nothing specific is seen', () => {
    const fallback = problemOf('kubernetes/a/failed', {
      fallback: true,
      recognise: [{ reason: 'Failed' }, { message: 'Failed to pull image {image}: a very long text' }],
    });
    const specific = problemOf('kubernetes/a/specific', { recognise: [{ message: 'not known' }] });
    expect(
      ids(
        diagnose([fallback, specific], { kind: 'Pod', reason: 'failed', message: 'Failed to pull image x: a very long text: not known' }),
      ),
    ).toEqual([specific.id]);
    expect(ids(diagnose([fallback, specific], { kind: 'Pod', reason: 'failed', message: 'odd' }))).toEqual([fallback.id]);
  });

  it('recognises an event without a kind by its text only', () => {
    const problem = problemOf('kubernetes/node/not-ready', {
      objectKinds: ['Node'],
      recognise: [{ reason: 'NodeNotReady' }, { message: 'status is now: NodeNotReady' }],
    });
    expect(diagnose([problem], { reason: 'NodeNotReady', message: 'odd' })).toEqual([]);
    expect(ids(diagnose([problem], { message: 'Node a status is now: NodeNotReady' }))).toEqual([problem.id]);
    expect(ids(diagnose([problem], { kind: 'Node', reason: 'NodeNotReady' }))).toEqual([problem.id]);
    expect(diagnose([problem], { kind: 'Pod', reason: 'NodeNotReady' })).toEqual([]);
  });

  it('needs everything that a rule says', () => {
    const problem = problemOf('kubernetes/a/b', {
      recognise: [
        {
          reason: ['A', 'B'],
          type: 'Warning',
          message: ['one text', 'two text'],
          not: 'but not',
          regex: 'id (?P<id>\\d+)',
          exitCode: [1, 137],
          reporters: ['kubelet'],
        },
      ],
    });
    const event = { kind: 'Pod', reason: 'b', type: 'Warning', reporter: 'kubelet', message: 'two text id 42, exit code 137' };
    expect(diagnose([problem], event)).toMatchObject([{ captured: { id: '42', exitCode: '137' } }]);
    expect(ids(diagnose([problem], { ...event, type: '', reporter: '' }))).toEqual([problem.id]);
    for (const change of [
      { reason: 'C' },
      { type: 'Normal' },
      { reporter: 'other' },
      { message: 'two text id x, exit code 137' },
      { message: 'two text id 42' },
      { message: `${event.message} but not` },
      { message: 'no text id 42, exit code 137' },
    ]) {
      expect(diagnose([problem], { ...event, ...change }), JSON.stringify(change)).toEqual([]);
    }
  });

  it('orders equals by their id, whatever the order of the problems', () => {
    const [a, b] = ['kubernetes/a/a', 'kubernetes/a/b'].map((id) => problemOf(id, { recognise: [{ message: 'the same' }] }));
    expect(ids(diagnose([b!, a!], { message: 'the same' }))).toEqual([a!.id, b!.id]);
    expect(ids(diagnose([a!, b!], { message: 'the same' }))).toEqual([a!.id, b!.id]);
  });

  it('tries an expression without any literal text on every event', () => {
    const problem = problemOf('kubernetes/a/b', { recognise: [{ regex: '(?:abc|abd)\\d' }] });
    expect(ids(diagnose([problem], { message: 'x ABD7' }))).toEqual([problem.id]);
  });

  describe('an alert', () => {
    const alert = problemOf('kubernetes/alert/not-ready', { recognise: [{ alert: ['KubePodNotReady', 'PodNotReady'] }] });
    const text = problemOf('kubernetes/a/text', {
      objectKinds: ['*'],
      recognise: [{ message: 'a very long literal text of another problem' }],
    });
    const firing = { kind: 'Pod', reason: 'KubePodNotReady', type: 'Warning', reporter: 'alertmanager', message: 'text' };

    it('is known by its name, on whatever object', () => {
      for (const kind of ['Pod', 'Node', 'Alert']) expect(ids(diagnose([alert], { ...firing, kind }))).toEqual([alert.id]);
      expect(ids(diagnose([alert], { ...firing, reason: 'podnotready' }))).toEqual([alert.id]);
      expect(diagnose([alert], firing)[0]).toMatchObject({ matchedOn: 'alert KubePodNotReady on Pod', confidence: 0.96 });
    });

    it('comes before any text', () => {
      const message = 'a very long literal text of another problem';
      expect(ids(diagnose([text, alert], { ...firing, message }))).toEqual([alert.id, text.id]);
    });

    it('is no Event of that name, and nothing once it is resolved', () => {
      for (const change of [
        { reporter: 'kubelet' },
        { reporter: '' },
        { type: 'Normal' },
        { reason: 'KubePod' },
        { kind: '', reporter: '' },
      ]) {
        expect(diagnose([alert], { ...firing, ...change }), JSON.stringify(change)).toEqual([]);
      }
      const { kind, ...event } = firing;
      const ended = { ...event, object: { kind }, alert: { fingerprint: 'f', resolved: true } };
      expect(matchEvent(compileMatcher([alert, text]), { ...ended, message: 'a very long literal text of another problem' })).toEqual([]);
    });

    it.each([{ reason: 'a' }, { type: 'Warning' }, { reporters: ['kubelet'] }, { code: 'E4011' }])('cannot stand beside %j', (rest) => {
      expect(Rule.safeParse({ alert: 'A', ...rest }).success).toBe(false);
      expect(Rule.safeParse({ alert: 'A', message: 'text' }).success).toBe(true);
    });
  });
});
