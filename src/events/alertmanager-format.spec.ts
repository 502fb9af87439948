import { describe, expect, it } from 'vitest';
import { alertmanagerFormat } from './alertmanager-format.js';
import { readValues } from './read-body.js';
import type { JsonObject } from './wire-format.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const alert: JsonObject = {
  status: 'firing',
  labels: { alertname: 'KubeNodeNotReady', node: 'node-7' },
  annotations: { summary: 'Node is not ready.' },
  startsAt: '2026-06-01T11:00:00.25Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: 'f1',
};
const group = (...alerts: unknown[]): JsonObject => ({ version: '4', groupKey: '{}', alerts });

function uidOf(change: object): string {
  const { events } = readValues([group({ ...alert, ...change })], { now });
  return events[0]!.event.uid;
}

function refusal(change: object): string | undefined {
  return readValues([group({ ...alert, ...change })], { now }).rejected[0]?.reason;
}

describe('alertmanagerFormat', () => {
  it('is one event for as long as an alert fires, however often it is repeated, and another each time that it fires', () => {
    expect(uidOf({ annotations: { summary: 'Other value' } })).toBe(uidOf({}));
    expect(uidOf({ startsAt: '2026-06-01T11:30:00Z' })).not.toBe(uidOf({}));
    expect(uidOf({ fingerprint: 'f2' })).not.toBe(uidOf({}));
    expect(uidOf({ status: 'resolved', endsAt: '2026-06-01T11:40:00Z' })).not.toBe(uidOf({}));
  });

  it('ignores the guess at the end of an alert that still fires', () => {
    const { events } = readValues([group({ ...alert, endsAt: '2026-06-01T12:05:00Z' })], { now });
    expect(events[0]!.event.lastAt).toBe(Date.parse('2026-06-01T11:00:00.250Z'));
  });

  it('makes a fingerprint of the labels in any order where there is none', () => {
    const labels = { node: 'node-7', alertname: 'KubeNodeNotReady' };
    expect(uidOf({ fingerprint: undefined })).toBe(uidOf({ fingerprint: undefined, labels }));
    expect(uidOf({ fingerprint: undefined })).not.toBe(uidOf({ fingerprint: undefined, labels: { ...labels, node: 'node-8' } }));
  });

  it.each([
    [{ description: 'd', message: 'm', summary: 's' }, 'd'],
    [{ message: 'm', summary: 's' }, 'm'],
    [{ summary: 's' }, 's'],
    [{}, ''],
  ])('takes the text of %j', (annotations, message) => {
    expect(readValues([group({ ...alert, annotations })], { now }).events[0]!.event.message).toBe(message);
  });

  it.each([
    [{ status: 'suppressed' }, 'status: "suppressed" is not firing or resolved'],
    [{ status: undefined }, 'status: nothing is not firing or resolved'],
    [{ startsAt: '0001-01-01T00:00:00Z' }, 'startsAt: an alert needs the time when it began to fire'],
    [{ startsAt: 'now' }, 'startsAt: "now" is not an RFC 3339 time'],
    [{ status: 'resolved' }, 'endsAt: a resolved alert needs the time of its end'],
    [{ labels: { alertname: 5 } }, 'labels.alertname: 5 is not a text'],
    [{ labels: {}, annotations: {} }, 'an alert was expected, but there is no labels.alertname and no annotation with a text'],
  ])('refuses %j', (change, reason) => {
    expect(refusal(change)).toBe(reason);
  });

  it('tells of the alerts that Alertmanager left out', () => {
    const { events, rejected } = readValues([{ ...group(alert), truncatedAlerts: 12 }], { now });
    expect(events).toHaveLength(1);
    expect(rejected).toEqual([
      { index: 1, reason: 'truncatedAlerts: Alertmanager left out 12 alerts of this group; set its max_alerts to 0' },
    ]);
  });

  it.each([[group()], [{ version: '4', groupKey: '{}', alerts: null }]])('finds nothing in a group without alerts: %j', (value) => {
    expect(readValues([value], { now })).toEqual({ events: [], rejected: [] });
  });

  it('refuses a group whose alerts are no list', () => {
    expect(readValues([{ version: '4', alerts: 'x' }], { now }).rejected).toEqual([{ index: 0, reason: 'alerts: "x" is not an array' }]);
  });

  it('takes nothing else for a group or an alert', () => {
    for (const value of [{ alerts: [] }, { labels: {} }, { startsAt: 'x' }]) expect(alertmanagerFormat.recognises(value, {})).toBe(false);
  });
});
