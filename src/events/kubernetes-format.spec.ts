import { describe, expect, it } from 'vitest';
import { kubernetesFormat } from './kubernetes-format.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const event = { involvedObject: { kind: 'Pod', name: 'web-0' }, reason: 'Failed', message: 'm' };
const read = (value: Record<string, unknown>) => kubernetesFormat.read(value, now, {});

describe('kubernetesFormat', () => {
  it.each([
    event,
    { ...event, kind: '', apiVersion: null },
    { ...event, kind: 'Event', apiVersion: 'v1' },
    { ...event, kind: 'Event', apiVersion: 'events.k8s.io/v1' },
    { ...event, kind: 'Event', apiVersion: 'events.k8s.io/v1beta1' },
    { message: 'only a text' },
  ])('reads an Event: %j', (value) => {
    expect(read(value).type).toBe('event');
  });

  it.each([
    { kind: 'List', apiVersion: 'v1', items: [event] },
    { kind: 'EventList', apiVersion: 'events.k8s.io/v1', items: [event] },
    { items: [event] },
  ])('opens a list: %j', (value) => {
    expect(read(value)).toEqual({ type: 'elements', elements: [event] });
  });

  it('takes a null list for an empty one, as Go writes it', () => {
    expect(read({ kind: 'EventList', items: null })).toEqual({ type: 'nothing' });
  });

  it.each(['ADDED', 'MODIFIED', 'DELETED'])('reads the object of a watch line %s', (type) => {
    expect(read({ type, object: event })).toEqual({ type: 'elements', elements: [event] });
  });

  it('passes over bookmarks', () => {
    expect(read({ type: 'BOOKMARK', object: { kind: 'Event', metadata: { resourceVersion: '7' } } })).toEqual({
      type: 'nothing',
    });
  });

  it('does not take an Event whose type is odd for a watch line', () => {
    expect(read({ ...event, type: 'ERROR' })).toMatchObject({ type: 'event', event: { type: 'ERROR' } });
  });

  it.each([
    [
      { type: 'ERROR', object: { kind: 'Status', message: 'too old resource version' } },
      'the watch ended with an error: too old resource version',
    ],
    [{ type: 'ERROR', object: null }, 'the watch ended with an error: no message'],
    [{ type: 'PATCHED', object: event }, 'type: "PATCHED" is not ADDED, MODIFIED, DELETED, BOOKMARK or ERROR'],
    [{ object: event }, 'type: nothing is not ADDED, MODIFIED, DELETED, BOOKMARK or ERROR'],
    [{ kind: 'Pod', apiVersion: 'v1' }, 'kind: "Pod" was seen, a Kubernetes Event was expected'],
    [{ kind: 'PodList', items: [] }, 'kind: "PodList" was seen, a Kubernetes Event was expected'],
    [
      { kind: 'Status', apiVersion: 'v1', message: 'forbidden' },
      'kind: "Status" was seen, a Kubernetes Event was expected; it says: forbidden',
    ],
    [
      { kind: 'Event', apiVersion: 'audit.k8s.io/v1' },
      'kind: "Event" of apiVersion "audit.k8s.io/v1" was seen, a Kubernetes Event was expected',
    ],
    [
      { kind: 'EventList', apiVersion: 'audit.k8s.io/v1', items: [] },
      'kind: "EventList" of apiVersion "audit.k8s.io/v1" was seen, a Kubernetes Event was expected',
    ],
    [{ kind: 5 }, 'kind: 5 is not a text'],
    [{ kind: 'List', items: {} }, 'items: an object is not an array'],
    [{ kind: 'List' }, 'items: nothing is not an array'],
  ])('refuses %j', (value, reason) => {
    expect(read(value)).toEqual({ type: 'refusal', reason });
  });
});
