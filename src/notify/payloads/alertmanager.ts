import type { IncidentFacts, Message } from '../message.js';
import { toIso } from '../message.js';

const SEVERITIES = ['critical', 'error', 'warning', 'info'];
/**
 * Alertmanager ends an alert that is not sent again within minutes unless it says itself when it ends. An open incident is told once, so
 * that its end is put far off; the recovery brings it forward.
 */
const FAR_OFF = 365 * 86_400_000;

/** Alertmanager API v2, `POST /api/v2/alerts`: a list of alerts. */
export function alertmanagerPayload(message: Message): object[] {
  if ('incident' in message) return alertsOf(message.incident, message.kind, message.at);
  if ('counts' in message) return message.incidents.flatMap((incident) => alertsOf(incident, 'UPDATED', message.at));
  if (message.kind !== 'TEST') return [];
  const labels = { alertname: 'CasebookTest', severity: 'info', webhook: message.webhook };
  return [
    { labels, annotations: { summary: 'A test. Nothing has happened.' }, startsAt: toIso(message.at), endsAt: toIso(message.at + 60_000) },
  ];
}

/**
 * The alert of an incident. Labels are what tells alerts apart, so that one whose severity changed is another alert: those of the other
 * severities are ended with it.
 */
function alertsOf(incident: IncidentFacts, kind: string, at: number): object[] {
  const open = incident.status !== 'resolved';
  const others = kind === 'OPENED' ? [] : SEVERITIES.filter((severity) => severity !== incident.severity);
  const ended = incident.resolvedAt ?? at;
  return [
    alertOf(incident, incident.severity, open ? at + FAR_OFF : ended),
    ...others.map((severity) => alertOf(incident, severity, open ? at : ended)),
  ];
}

function alertOf(incident: IncidentFacts, severity: string, endsAt: number): object {
  const { id, cluster, problem, title, summary, code, subject, firstSeenAt } = incident;
  return {
    labels: {
      alertname: problem,
      severity,
      cluster,
      ...(subject.namespace !== '' && { namespace: subject.namespace }),
      name: subject.name,
      ...(code !== null && { code }),
      incident: id,
    },
    // What may change while the incident lasts makes no label: the alert would become another one, and this one never end.
    annotations: { summary: title, description: summary, kind: subject.kind },
    startsAt: toIso(Math.min(firstSeenAt, endsAt)),
    endsAt: toIso(endsAt),
  };
}
