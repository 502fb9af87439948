import { BrokenElement } from './broken-element.js';
import type { ClusterEvent } from './cluster-event.js';
import { FieldReader, isJsonObject } from './field-reader.js';
import { hashText } from './hash-text.js';
import { readAlertObject } from './read-alert-object.js';
import { showValue } from './show-value.js';
import type { Finding, JsonObject, WireFormat } from './wire-format.js';

/**
 * Alertmanager's webhook, version 4: a group of alerts, each firing or resolved. An alert is no Kubernetes Event, so it
 * becomes one with what it honestly has: its name as the reason, the object that its labels name, its text from the
 * annotations. Alertmanager repeats a firing alert for as long as it lasts; its fingerprint and start make those one event.
 */
export const alertmanagerFormat: WireFormat = {
  names: ['alertmanager'],
  recognises: (value) => isGroup(value) || (value.startsAt !== undefined && isJsonObject(value.labels)),
  read: (value, now) => (isGroup(value) ? readGroup(value) : readAlert(value, now)),
};

function isGroup({ alerts, groupKey, groupLabels, version }: JsonObject): boolean {
  return alerts !== undefined && (groupKey !== undefined || groupLabels !== undefined || version === '4');
}

/** Go writes an empty list as null. With `max_alerts` set, Alertmanager leaves alerts out and says only how many. */
function readGroup({ alerts, truncatedAlerts }: JsonObject): Finding {
  if (!Array.isArray(alerts) && alerts !== null) return refusal(`alerts: ${showValue(alerts)} is not an array`);
  const elements: unknown[] = [...(alerts ?? [])];
  if (typeof truncatedAlerts === 'number' && truncatedAlerts > 0) {
    elements.push(
      new BrokenElement(`truncatedAlerts: Alertmanager left out ${truncatedAlerts} alerts of this group; set its max_alerts to 0`),
    );
  }
  return elements.length === 0 ? { type: 'nothing' } : { type: 'elements', elements };
}

function readAlert(value: JsonObject, now: number): Finding {
  const fields = new FieldReader(now);
  const labels = fields.object(value.labels, 'labels');
  const name = fields.word(labels.alertname, 'alertname', 'labels');
  const message = readMessage(fields.object(value.annotations, 'annotations'), fields);
  const object = readAlertObject(labels, name, fields);
  const fingerprint = fields.word(value.fingerprint, 'fingerprint') || fingerprintOf(labels);
  const startsAt = fields.time(value.startsAt, 'startsAt');
  const resolved = value.status === 'resolved';
  // While it fires, the end is a guess of the sender's or not set at all.
  const endsAt = resolved ? fields.time(value.endsAt, 'endsAt') : undefined;
  if (fields.fault !== '') return refusal(fields.fault);
  if (!resolved && value.status !== 'firing') return refusal(`status: ${showValue(value.status)} is not firing or resolved`);
  if (startsAt === undefined) return refusal('startsAt: an alert needs the time when it began to fire');
  if (resolved && endsAt === undefined) return refusal('endsAt: a resolved alert needs the time of its end');
  if (name === '' && message === '')
    return refusal('an alert was expected, but there is no labels.alertname and no annotation with a text');
  const at = endsAt ?? startsAt;
  const event: ClusterEvent = {
    uid: `alert:${fingerprint.length <= 128 ? fingerprint : hashText(fingerprint)}:${startsAt}${resolved ? ':resolved' : ''}`,
    reason: name,
    message,
    type: resolved ? 'Normal' : 'Warning',
    reporter: 'alertmanager',
    host: '',
    object: object.name === '' ? { ...object, name: fingerprint } : object,
    count: 1,
    firstAt: at,
    lastAt: at,
    timed: true,
    alert: { fingerprint, resolved },
  };
  return { type: 'event', event };
}

function readMessage(annotations: JsonObject, fields: FieldReader): string {
  for (const name of ['description', 'message', 'summary']) {
    const text = fields.message(annotations[name], name, 'annotations');
    if (text !== '') return text;
  }
  return '';
}

/** Alertmanager makes its fingerprint of all labels too. */
function fingerprintOf(labels: JsonObject): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return hashText(JSON.stringify(pairs));
}

function refusal(reason: string): Finding {
  return { type: 'refusal', reason };
}
