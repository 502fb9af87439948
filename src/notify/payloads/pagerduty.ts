import { cutText, describeMessage } from '../describe-message.js';
import type { IncidentMessage, Message } from '../message.js';
import { nameOfSubject, toIso } from '../message.js';
import { showIncident } from './generic.js';

const ACTIONS: Partial<Record<Message['kind'], 'acknowledge' | 'resolve'>> = {
  ACKNOWLEDGED: 'acknowledge',
  RESOLVED: 'resolve',
  STORM_ENDED: 'resolve',
};
const ORDER = ['critical', 'error', 'warning', 'info'];

/** The alert that a message is about; what is about the same one has the same key. At most 255 characters. */
function dedupKeyOf(message: Message): string {
  if ('incident' in message) return `casebook/${message.incident.id}`;
  return message.kind === 'TEST'
    ? `casebook/test/${message.id}`
    : `casebook/storm/${('digest' in message && message.digest) || message.id}`;
}

/** PagerDuty Events API v2. The routing key, which is the webhook's secret, is added when it is sent. */
export function pagerdutyPayload(message: Message): Record<string, unknown> {
  // What people say of an incident that has ended must not page anybody.
  const action = 'incident' in message && message.incident.status === 'resolved' ? 'resolve' : ACTIONS[message.kind];
  const head = { event_action: action ?? 'trigger', dedup_key: dedupKeyOf(message) };
  if (action) return head;
  const summary = cutText(describeMessage(message).title, 1024);
  const details = 'incident' in message ? ofIncident(message) : ofOthers(message);
  return { ...head, client: 'Casebook', payload: { summary, timestamp: toIso(message.at), ...details } };
}

function ofIncident({ incident }: IncidentMessage): object {
  const { cluster, severity, subject, problem } = incident;
  return {
    source: cutText(`${cluster}/${nameOfSubject(subject)}`, 1024),
    severity,
    component: subject.name,
    group: cluster,
    class: problem,
    custom_details: showIncident(incident),
  };
}

function ofOthers(message: Message): object {
  if (!('counts' in message)) return { source: 'casebook', severity: 'info' };
  const worst = ORDER.find((severity) => message.counts.some((count) => count.severity === severity)) ?? 'warning';
  return { source: 'casebook', severity: worst, custom_details: { total: message.total, counts: message.counts, more: message.more } };
}
