import { describe, expect, it } from 'vitest';
import { kubewatchFormat } from './kubewatch-format.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const read = (kind: unknown, reason: string, name = 'web-0.17c2a5b1e8d0f3a4') =>
  kubewatchFormat.read({ eventmeta: { kind, name, namespace: 'shop', reason }, text: 't', time: '2026-06-01T11:00:00Z' }, now, {});

describe('kubewatchFormat', () => {
  it.each([
    ['Backoff', 'Created', { kind: 'Pod', namespace: 'shop', name: 'web-0' }, 'BackOff', 'Warning'],
    ['NodeNotReady', 'created', { kind: 'Node', namespace: '', name: 'web-0' }, 'NodeNotReady', 'Normal'],
    ['NodeReady', 'Created', { kind: 'Node', namespace: '', name: 'web-0' }, 'NodeReady', 'Normal'],
    ['NodeRebooted', 'Created', { kind: 'Node', namespace: '', name: 'web-0' }, 'Rebooted', 'Warning'],
  ])('takes its kind %s for the Event that it stands for', (kind, reason, object, becomes, type) => {
    expect(read(kind, reason)).toMatchObject({ type: 'event', event: { reason: becomes, type, object, reporter: 'kubewatch' } });
  });

  it.each([
    ['daemon set', 'DaemonSet'],
    ['pod', 'Pod'],
    ['persistent volume', 'PersistentVolume'],
    ['HorizontalPodAutoscaler', 'HorizontalPodAutoscaler'],
    ['certificates', 'certificates'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
  ])('knows the kind %s as %s', (said, kind) => {
    expect(read(said, 'Updated', 'x')).toMatchObject({ event: { reason: 'Updated', object: { kind, name: 'x' } } });
  });

  it('says that an object is gone, and not when only its Event has expired', () => {
    expect(read('Deployment', 'Deleted', 'web')).toMatchObject({ event: { object: { kind: 'Deployment', deleted: true } } });
    expect(read('Backoff', 'Deleted')).toEqual({ type: 'nothing' });
    expect(read('constructor', 'Deleted', 'x')).toMatchObject({ event: { object: { kind: 'constructor', deleted: true } } });
  });

  it('refuses Events, of which it passes nothing but the name on, and what has no name', () => {
    expect(read('Event', 'Created')).toMatchObject({ type: 'refusal', reason: expect.stringContaining('passes on its name and nothing') });
    expect(read('', 'Created')).toMatchObject({ type: 'refusal', reason: expect.stringContaining('a kind and a name') });
    expect(read(7, 'Created')).toEqual({ type: 'refusal', reason: 'eventmeta.kind: 7 is not a text' });
  });

  it('tells deliveries at different times apart', () => {
    const uidAt = (time: string) => {
      const found = kubewatchFormat.read({ eventmeta: { kind: 'Pod', name: 'a', reason: 'Updated' }, text: 't', time }, now, {});
      return found.type === 'event' ? found.event.uid : '';
    };
    expect(uidAt('2026-06-01T11:00:00Z')).toBe(uidAt('2026-06-01T13:00:00+02:00'));
    expect(uidAt('2026-06-01T11:00:00Z')).not.toBe(uidAt('2026-06-01T11:00:01Z'));
  });
});
