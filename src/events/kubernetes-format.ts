import { isJsonObject } from './field-reader.js';
import { readKubernetesEvent } from './read-kubernetes-event.js';
import { showText, showValue } from './show-value.js';
import type { Finding, JsonObject, WireFormat } from './wire-format.js';

const NOTHING: Finding = { type: 'nothing' };

/**
 * What Kubernetes itself writes: Events of core/v1 and events.k8s.io, lists of them, and watch lines. The event
 * exporter's EnhancedEvent, a core/v1 Event with a richer `involvedObject` and no kind, is one of them too.
 */
export const kubernetesFormat: WireFormat = {
  names: ['kubernetes'],
  recognises: () => true,
  read(value, now) {
    const { kind } = value;
    if (kind === undefined || kind === null || kind === '') return readWithoutKind(value, now);
    if (kind === 'Event') return isEventGroup(value) ? readKubernetesEvent(value, now) : refuseKind(value, kind);
    if (kind === 'List' || kind === 'EventList') return isEventGroup(value) ? readList(value) : refuseKind(value, kind);
    return refuseKind(value, kind);
  },
};

/** Items of an EventList, the event exporter's events and watch lines name no kind. */
function readWithoutKind(value: JsonObject, now: number): Finding {
  if (value.involvedObject !== undefined || value.regarding !== undefined) return readKubernetesEvent(value, now);
  if (value.object !== undefined || value.type === 'BOOKMARK') return readWatchLine(value);
  return value.items === undefined ? readKubernetesEvent(value, now) : readList(value);
}

/** Audit logs have a `kind: Event` of their own, which says nothing that Casebook looks for. */
function isEventGroup({ apiVersion }: JsonObject): boolean {
  if (apiVersion === undefined || apiVersion === null || apiVersion === '' || apiVersion === 'v1') return true;
  return typeof apiVersion === 'string' && apiVersion.startsWith('events.k8s.io/');
}

/** Go writes an empty list as null. */
function readList({ items }: JsonObject): Finding {
  if (items === null) return NOTHING;
  if (Array.isArray(items)) return { type: 'elements', elements: items };
  return refusal(`items: ${showValue(items)} is not an array`);
}

/** DELETED says only that the Event object has expired; what it carries is the last state of that Event. */
function readWatchLine({ type, object }: JsonObject): Finding {
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: 'elements', elements: [object] };
    case 'BOOKMARK':
      return NOTHING;
    case 'ERROR':
      return refusal(`the watch ended with an error: ${statusMessage(object)}`);
    default:
      return refusal(`type: ${showValue(type)} is not ADDED, MODIFIED, DELETED, BOOKMARK or ERROR`);
  }
}

function refuseKind(value: JsonObject, kind: unknown): Finding {
  if (typeof kind !== 'string') return refusal(`kind: ${showValue(kind)} is not a text`);
  const group = isEventGroup(value) ? '' : ` of apiVersion ${showValue(value.apiVersion)}`;
  const said = kind === 'Status' ? `; it says: ${statusMessage(value)}` : '';
  return refusal(`kind: ${showText(kind)}${group} was seen, a Kubernetes Event was expected${said}`);
}

function statusMessage(status: unknown): string {
  if (!isJsonObject(status) || typeof status.message !== 'string') return 'no message';
  return status.message.slice(0, 300).toWellFormed().replaceAll('\0', '\uFFFD');
}

function refusal(reason: string): Finding {
  return { type: 'refusal', reason };
}
