import type { ClusterEvent } from './cluster-event.js';
import { eventUid } from './event-uid.js';
import { FieldReader } from './field-reader.js';
import { readEventObject } from './read-event-object.js';
import type { Finding, JsonObject } from './wire-format.js';

const DNS_NAME = /^[a-z0-9][-.a-z0-9]{0,252}$/;

/**
 * Reads one Event object, of core/v1 or events.k8s.io. Both are read by one function, because each is served under the
 * other's version too, with its fields under the other's names (`note` and `message`, `regarding` and `involvedObject`,
 * `deprecated...`).
 */
export function readKubernetesEvent(source: JsonObject, now: number): Finding {
  const fields = new FieldReader(now);
  const metadata = fields.object(source.metadata, 'metadata');
  const object = readEventObject(source, fields);
  const reason = fields.word(source.reason, 'reason');
  const message = fields.message(source.message, 'message') || fields.message(source.note, 'note');
  const reporter = readReporter(source, fields);
  const times = readTimes(source, metadata, fields, now);
  const event: ClusterEvent = {
    uid: fields.word(metadata.uid, 'uid', 'metadata'),
    reason,
    message,
    type: fields.word(source.type, 'type'),
    reporter: reporter.name,
    host: reporter.host,
    object,
    count: readCount(source, fields),
    firstAt: times.firstAt,
    lastAt: times.lastAt,
    timed: times.timed,
  };
  const name = fields.word(metadata.name, 'name', 'metadata');
  const namespace = fields.word(metadata.namespace, 'namespace', 'metadata');
  if (fields.fault !== '') return { type: 'refusal', reason: fields.fault };
  if (reason === '' && message === '' && object.kind === '' && object.name === '') {
    return { type: 'refusal', reason: 'an Event was expected, but there is no involvedObject, reason or message' };
  }
  if (event.uid === '') event.uid = eventUid(event, namespace, name);
  return { type: 'event', event };
}

/** Events of the newer API have an empty `source` when read as core/v1, and name their reporter elsewhere. */
function readReporter(event: JsonObject, fields: FieldReader): { name: string; host: string } {
  const source = fields.object(event.source, 'source');
  const former = fields.object(event.deprecatedSource, 'deprecatedSource');
  const name =
    fields.word(source.component, 'component', 'source') ||
    fields.word(event.reportingComponent, 'reportingComponent') ||
    fields.word(event.reportingController, 'reportingController') ||
    fields.word(former.component, 'component', 'deprecatedSource');
  const host = fields.word(source.host, 'host', 'source') || fields.word(former.host, 'host', 'deprecatedSource');
  const instance = fields.word(event.reportingInstance, 'reportingInstance');
  // The instance is a Pod's name or `component-host` for everyone else; only the kubelet's is its node.
  return { name, host: host === '' && name === 'kubelet' && DNS_NAME.test(instance) ? instance : host };
}

/** Senders leave `count` out or at 0 for a single happening, and the newer API counts in `series`. */
function readCount(event: JsonObject, fields: FieldReader): number {
  const series = fields.object(event.series, 'series');
  return Math.max(
    1,
    fields.count(series.count, 'count', 'series'),
    fields.count(event.count, 'count'),
    fields.count(event.deprecatedCount, 'deprecatedCount'),
  );
}

function readTimes(event: JsonObject, metadata: JsonObject, fields: FieldReader, now: number) {
  const series = fields.object(event.series, 'series');
  const observed = fields.time(series.lastObservedTime, 'lastObservedTime', 'series');
  const last = fields.time(event.lastTimestamp, 'lastTimestamp') ?? fields.time(event.deprecatedLastTimestamp, 'deprecatedLastTimestamp');
  const eventTime = fields.time(event.eventTime, 'eventTime');
  const first =
    fields.time(event.firstTimestamp, 'firstTimestamp') ?? fields.time(event.deprecatedFirstTimestamp, 'deprecatedFirstTimestamp');
  const created = fields.time(metadata.creationTimestamp, 'creationTimestamp', 'metadata');
  const known = observed ?? last ?? eventTime ?? first ?? created;
  const lastAt = known ?? now;
  return { lastAt, firstAt: Math.min(lastAt, first ?? eventTime ?? created ?? lastAt), timed: known !== undefined };
}
