import type { ApiObject } from './fake-api-store.js';

/** What a path of the API means. */
export interface ApiRoute {
  /** Group and version as in `apiVersion`: `v1`, `apps/v1`. */
  apiVersion: string;
  group: string;
  plural: string;
  kind: string;
  /** Name in the store: Events of both groups are the same objects. */
  resource: string;
  namespace: string | undefined;
  /** Name of one object; undefined for all of them. */
  name: string | undefined;
}

const KINDS: Record<string, Record<string, string>> = {
  v1: {
    events: 'Event',
    pods: 'Pod',
    nodes: 'Node',
    services: 'Service',
    persistentvolumeclaims: 'PersistentVolumeClaim',
    persistentvolumes: 'PersistentVolume',
    namespaces: 'Namespace',
    replicationcontrollers: 'ReplicationController',
  },
  'apps/v1': { deployments: 'Deployment', statefulsets: 'StatefulSet', daemonsets: 'DaemonSet', replicasets: 'ReplicaSet' },
  'batch/v1': { jobs: 'Job' },
  'batch/v1beta1': { cronjobs: 'CronJob' },
  'networking.k8s.io/v1': { ingresses: 'Ingress' },
  'autoscaling/v1': { horizontalpodautoscalers: 'HorizontalPodAutoscaler' },
  'policy/v1beta1': { poddisruptionbudgets: 'PodDisruptionBudget' },
  'events.k8s.io/v1': { events: 'Event' },
};

const PATH = /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+))?$/;

/** Reads a path; undefined for one that this server does not serve, as an older real one would not. */
export function routeOf(path: string): ApiRoute | undefined {
  const [, core, grouped, namespace, plural = '', name] = PATH.exec(path) ?? [];
  const apiVersion = core ?? grouped ?? '';
  const kind = KINDS[apiVersion]?.[plural];
  if (kind === undefined) return undefined;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
  const resource = plural === 'events' || group === '' ? plural : `${group}/${plural}`;
  return { apiVersion, group, plural, kind, resource, namespace: decoded(namespace), name: decoded(name) };
}

/** An object as the API of a route shows it. Events are stored as core/v1. */
export function shown(object: ApiObject, { apiVersion, kind, resource, group }: ApiRoute): ApiObject {
  const { apiVersion: _version, kind: _kind, ...fields } = object;
  const view = resource === 'events' && group === 'events.k8s.io' ? asNewEvent(fields as ApiObject) : fields;
  return { kind, apiVersion, ...view } as ApiObject;
}

/** An object as it is stored, read from the API of a route. */
export function stored(object: ApiObject, { resource, group, namespace }: ApiRoute): ApiObject {
  const fields = resource === 'events' && group === 'events.k8s.io' ? asCoreEvent(object) : object;
  return { ...fields, metadata: { ...fields.metadata, ...(namespace !== undefined && { namespace }) } };
}

/** Nothing of an object but what it is called, as for `as=PartialObjectMetadata`. */
export function metadataOnly({ metadata }: ApiObject): ApiObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}

const NAMES = [
  ['message', 'note'],
  ['involvedObject', 'regarding'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
] as const;

function asNewEvent(event: ApiObject): ApiObject {
  const renamed = new Map<string, string>(NAMES);
  return Object.fromEntries(Object.entries(event).map(([field, value]) => [renamed.get(field) ?? field, value])) as ApiObject;
}

/** As core/v1 shows an Event of the newer API: without times and count of its own, and with an empty source. */
function asCoreEvent(event: ApiObject): ApiObject {
  const renamed = new Map<string, string>(NAMES.map(([core, newer]) => [newer, core]));
  const fields = Object.fromEntries(Object.entries(event).map(([field, value]) => [renamed.get(field) ?? field, value]));
  return { source: {}, firstTimestamp: null, lastTimestamp: null, ...fields } as unknown as ApiObject;
}

function decoded(part: string | undefined): string | undefined {
  return part === undefined ? undefined : decodeURIComponent(part);
}
