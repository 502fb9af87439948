import type { EventObject } from './cluster-event.js';
import type { FieldReader } from './field-reader.js';
import type { JsonObject } from './wire-format.js';

const CONTAINER_PATHS = ['spec.containers{', 'spec.initContainers{', 'spec.ephemeralContainers{'];

/** Reads the object that an Event is about: `involvedObject` in core/v1, `regarding` in events.k8s.io. */
export function readEventObject(event: JsonObject, fields: FieldReader): EventObject {
  const involved = event.involvedObject;
  const parent = involved === undefined || involved === null ? 'regarding' : 'involvedObject';
  const source = fields.object(event[parent], parent);
  const kind = fields.word(source.kind, 'kind', parent);
  const namespace = fields.word(source.namespace, 'namespace', parent);
  const uid = fields.word(source.uid, 'uid', parent);
  const isNode = kind === 'Node';
  const object: EventObject = {
    kind,
    // Nodes are known by name: the kubelet and others send that name as uid, and some a namespace.
    namespace: isNode ? '' : namespace,
    name: fields.word(source.name, 'name', parent),
    uid: isNode ? '' : uid,
    container: containerOf(fields.word(source.fieldPath, 'fieldPath', parent)),
  };
  const owner = readOwner(source, fields, parent);
  if (owner !== undefined) object.owner = owner;
  if (fields.flag(source.deleted, 'deleted', parent)) object.deleted = true;
  return object;
}

/** The container that a `fieldPath` names, such as `spec.containers{app}`; empty for any other. */
export function containerOf(fieldPath: string): string {
  if (!fieldPath.endsWith('}')) return '';
  const path = CONTAINER_PATHS.find((prefix) => fieldPath.startsWith(prefix));
  return path === undefined ? '' : fieldPath.slice(path.length, -1).trim();
}

/** The owner that manages the object, else the first; the event exporter passes ownerReferences on. */
function readOwner(source: JsonObject, fields: FieldReader, parent: string): EventObject['owner'] {
  const references = fields.array(source.ownerReferences, 'ownerReferences', parent);
  if (references.length === 0) return undefined;
  const path = `${parent}.ownerReferences`;
  const owners = references.map((reference, index) => fields.object(reference, String(index), path));
  const index = Math.max(
    0,
    owners.findIndex(({ controller }) => controller === true),
  );
  const kind = fields.word(owners[index]?.kind, 'kind', `${path}.${index}`);
  const name = fields.word(owners[index]?.name, 'name', `${path}.${index}`);
  return kind === '' && name === '' ? undefined : { kind, name };
}
