import { describeMessage } from '../describe-message.js';
import type { IncidentFacts, Message } from '../message.js';
import { toIso } from '../message.js';

/** An incident as JSON tells it: times in ISO 8601. */
export function showIncident({ firstSeenAt, lastSeenAt, resolvedAt, subject, ...incident }: IncidentFacts): Record<string, unknown> {
  return {
    ...incident,
    subject: { ...subject, namespace: subject.namespace === '' ? null : subject.namespace },
    firstSeenAt: toIso(firstSeenAt),
    lastSeenAt: toIso(lastSeenAt),
    resolvedAt: resolvedAt === null ? null : toIso(resolvedAt),
  };
}

/** Casebook's own form. */
export function genericPayload(message: Message): Record<string, unknown> {
  const { id, kind, at, webhook } = message;
  return {
    id,
    kind,
    at: toIso(at),
    webhook,
    text: describeMessage(message).title,
    incident: 'incident' in message ? showIncident(message.incident) : null,
    digest: 'counts' in message ? { total: message.total, counts: message.counts, more: message.more } : null,
  };
}
