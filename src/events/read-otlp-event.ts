import type { ClusterEvent } from './cluster-event.js';
import { eventUid } from './event-uid.js';
import { FieldReader } from './field-reader.js';
import { rfc3339OfGo } from './parse-go-time.js';
import { readEventObject } from './read-event-object.js';
import type { Finding, JsonObject } from './wire-format.js';

/** What is read of a log record, all values plain. */
export interface OtlpEvent {
  /** The record itself, for its times and severity. */
  record: JsonObject;
  attributes: JsonObject;
  /** Attributes of the resource that the record is of. */
  resource: JsonObject;
  body: unknown;
}

/** What an SDK calls a service that was given no name. */
const UNNAMED = /^unknown_service\b.*/;

/** Severity numbers of OpenTelemetry from which on a record tells of trouble: 13 is WARN. */
const WARN = 13;

/**
 * Reads a log record whose body is a text: an Event as the collector's k8s_events receiver spreads it over attributes (it keeps
 * everything but the component that reported it), or a plain line of a log of a Pod.
 */
export function readOtlpEvent({ record, attributes, resource, body }: OtlpEvent, now: number): Finding {
  const fields = new FieldReader(now);
  const attribute = (name: string): string => fields.word(attributes[name] ?? resource[name], name, 'attributes');
  const isEvent = attributes['k8s.event.reason'] !== undefined || attributes['k8s.event.uid'] !== undefined;
  const known = timeOf(record.timeUnixNano, 'timeUnixNano', fields) ?? timeOf(record.observedTimeUnixNano, 'observedTimeUnixNano', fields);
  const lastAt = known ?? now;
  const started = isEvent ? fields.time(rfc3339OfGo(attribute('k8s.event.start_time')), 'k8s.event.start_time', 'attributes') : undefined;
  const event: ClusterEvent = {
    uid: attribute('k8s.event.uid'),
    reason: attribute('k8s.event.reason') || fields.word(record.eventName, 'eventName'),
    message: fields.message(body, 'body'),
    type: isEvent ? fields.word(record.severityText, 'severityText') : typeOf(fields.count(record.severityNumber, 'severityNumber')),
    // Only the receiver's first versions passed the reporting component on; the service beside an Event is the collector.
    reporter: isEvent ? attribute('k8s.event.source') : attribute('service.name').replace(UNNAMED, ''),
    host: attribute('k8s.node.name') || attribute('host.name'),
    object: isEvent ? eventObject(attribute, fields) : podOf(attribute),
    count: Math.max(1, fields.count(attributes['k8s.event.count'], 'k8s.event.count', 'attributes')),
    firstAt: Math.min(lastAt, started ?? lastAt),
    lastAt,
    timed: known !== undefined,
  };
  if (fields.fault !== '') return { type: 'refusal', reason: fields.fault };
  if (event.reason === '' && event.message === '') {
    return { type: 'refusal', reason: 'a log record was expected to have a body or k8s.event.* attributes, but it has neither' };
  }
  if (event.uid === '') event.uid = eventUid(event, event.object.namespace, attribute('k8s.event.name'));
  return { type: 'event', event };
}

/** Nanoseconds since the epoch, as text because they do not fit into a number; 0 is no time. */
function timeOf(nanoseconds: unknown, field: string, fields: FieldReader): number | undefined {
  const text = typeof nanoseconds === 'number' ? String(nanoseconds) : nanoseconds;
  if (text === undefined || text === null || text === '' || text === '0') return undefined;
  const isCount = typeof text === 'string' && /^\d{1,20}$/.test(text);
  return fields.time(isCount ? new Date(Number(BigInt(text) / 1_000_000n)) : text, field);
}

/** Attributes of the object that the Event is about; its namespace is beside those of the record. */
function eventObject(attribute: (name: string) => string, fields: FieldReader): ClusterEvent['object'] {
  const regarding = {
    kind: attribute('k8s.object.kind'),
    namespace: attribute('k8s.namespace.name') || attribute('k8s.object.namespace'),
    name: attribute('k8s.object.name'),
    uid: attribute('k8s.object.uid'),
    fieldPath: attribute('k8s.object.fieldpath'),
  };
  return readEventObject({ regarding }, fields);
}

function podOf(attribute: (name: string) => string): ClusterEvent['object'] {
  const name = attribute('k8s.pod.name');
  if (name === '') return { kind: '', namespace: '', name: '', uid: '', container: '' };
  return {
    kind: 'Pod',
    namespace: attribute('k8s.namespace.name'),
    name,
    uid: attribute('k8s.pod.uid'),
    container: attribute('k8s.container.name'),
  };
}

function typeOf(severity: number): string {
  if (severity === 0) return '';
  return severity < WARN ? 'Normal' : 'Warning';
}
