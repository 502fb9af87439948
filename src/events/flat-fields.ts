import type { JsonObject } from './wire-format.js';

/** What a template calls a field of an Event; the first one that is there and not empty is read. */
const NAMES = {
  uid: ['uid'],
  objectUid: ['objectuid', 'involvedobjectuid'],
  kind: ['kind', 'objectkind', 'involvedobjectkind', 'resourcekind'],
  name: ['name', 'objectname', 'involvedobjectname', 'resourcename', 'object'],
  namespace: ['namespace', 'objectnamespace', 'involvedobjectnamespace'],
  fieldPath: ['fieldpath', 'objectfieldpath', 'involvedobjectfieldpath'],
  reason: ['reason'],
  message: ['message', 'text', 'note'],
  type: ['type'],
  reporter: ['component', 'sourcecomponent', 'reportingcomponent', 'reportingcontroller', 'reporter', 'source'],
  host: ['host', 'sourcehost'],
  count: ['count'],
  first: ['firsttimestamp', 'firsttime', 'createdat'],
  last: ['lasttimestamp', 'lasttime', 'time', 'timestamp'],
} as const;

/** A field of a flat event. */
export type FlatField = keyof typeof NAMES;

/** Fields of a flat event as text, each with the path by which its sender knows it. */
export type FlatFields = Partial<Record<FlatField, { path: string; value: string }>>;

/** What Go's templates print for a value that is not there. */
const NOTHING = new Set<unknown>(['', '<no value>', '<nil>']);
/** A template of honest length has some twenty fields. */
const MOST = 64;

/**
 * Finds the fields of an event that a template wrote as one flat object, whatever their case and separators, with or
 * without `Event` in front: `EventNamespace`, `event_namespace` and `namespace` are one. The plain name wins.
 */
export function flatFields(source: JsonObject, parent = ''): FlatFields {
  const plain = new Map<string, string>();
  const prefixed = new Map<string, string>();
  for (const key of Object.keys(source).slice(0, MOST)) {
    const value = source[key];
    if ((typeof value !== 'string' && typeof value !== 'number') || NOTHING.has(value) || key.length > MOST) continue;
    const name = key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
    if (name.startsWith('event')) prefixed.set(name.slice('event'.length), key);
    else plain.set(name, key);
  }
  const found: FlatFields = {};
  for (const [field, names] of Object.entries(NAMES) as [FlatField, readonly string[]][]) {
    const key = first(names, plain) ?? first(names, prefixed);
    if (key !== undefined) found[field] = { path: parent === '' ? key : `${parent}.${key}`, value: String(source[key]) };
  }
  return found;
}

function first(names: readonly string[], keys: ReadonlyMap<string, string>): string | undefined {
  for (const name of names) if (keys.has(name)) return keys.get(name);
  return undefined;
}
