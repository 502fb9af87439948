import { isJsonObject } from './field-reader.js';
import { flatFields } from './flat-fields.js';
import type { FlatFields } from './flat-fields.js';
import { kubernetesFormat } from './kubernetes-format.js';
import { readFlatEvent } from './read-flat-event.js';
import type { JsonObject, WireFormat } from './wire-format.js';

/**
 * kubernetes-event-exporter: without a `layout` it sends an EnhancedEvent, which is a core/v1 Event with a richer
 * `involvedObject` and a `clusterName`; a `layout` replaces all of it by an object of one's own, mostly of texts.
 */
export const eventExporterFormat: WireFormat = {
  names: ['kubernetes-event-exporter', 'event-exporter'],
  recognises: (value) => !isKubernetes(value) && layoutOf(value) !== undefined,
  read(value, now, headers) {
    const layout = isKubernetes(value) ? undefined : layoutOf(value);
    return layout === undefined ? kubernetesFormat.read(value, now, headers) : readFlatEvent(value, now, layout);
  },
};

/** What only Kubernetes' own objects have; their kinds would else be taken for an event's. */
const OF_KUBERNETES = ['apiVersion', 'metadata', 'involvedObject', 'regarding', 'object', 'items'];
const OWN_KINDS = new Set<unknown>(['Event', 'EventList', 'List', 'Status']);
/** Objects inside a layout that are looked at. */
const MOST = 16;

function isKubernetes(value: JsonObject): boolean {
  return OWN_KINDS.has(value.kind) || OF_KUBERNETES.some((field) => value[field] !== undefined);
}

/** The fields of a layout, or of the first object inside it that tells of an event; undefined when there are none. */
function layoutOf(value: JsonObject): FlatFields | undefined {
  const own = flatFields(value);
  if (tellsOfEvent(own)) return own;
  for (const [key, inside] of Object.entries(value).slice(0, MOST)) {
    if (!isJsonObject(inside) || isKubernetes(inside)) continue;
    const fields = flatFields(inside, key);
    if (tellsOfEvent(fields)) return fields;
  }
  return undefined;
}

function tellsOfEvent({ kind, name, reason, message }: FlatFields): boolean {
  return (kind !== undefined || name !== undefined) && (reason !== undefined || message !== undefined);
}
