import { randomUUID } from 'node:crypto';

/** An object as a cluster stores it. */
export interface ApiObject {
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    creationTimestamp?: string;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** One change of one object; `object` is its state afterwards, or its last one where it was deleted. */
export interface Change {
  revision: number;
  /** Plural name with its group, such as `events` or `apps/deployments`. */
  resource: string;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: ApiObject;
}

/** What etcd is to an API server: one revision counter over everything, all states since the last compaction, and a feed of changes. */
export class FakeApiStore {
  /** Revisions up to this one are forgotten. */
  compacted = 0;
  readonly #changes: Change[] = [];
  readonly #current = new Map<string, ApiObject>();
  readonly #listeners = new Set<(change: Change) => void>();

  /** @param revision what the counter begins at: a new cluster's is low */
  constructor(public revision = 1) {}

  /** Creates or replaces an object; its uid, creation time and resource version are the store's. */
  put(resource: string, given: ApiObject): ApiObject {
    const before = this.get(resource, given.metadata.namespace, given.metadata.name);
    const object: ApiObject = {
      ...given,
      metadata: {
        ...given.metadata,
        uid: before?.metadata.uid ?? given.metadata.uid ?? randomUUID(),
        creationTimestamp: before?.metadata.creationTimestamp ?? new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
        resourceVersion: String(++this.revision),
      },
    };
    return this.#change({ revision: this.revision, resource, type: before ? 'MODIFIED' : 'ADDED', object });
  }

  /** Deletes an object; what is told of it carries the revision of its deletion. */
  delete(resource: string, namespace: string | undefined, name: string): ApiObject | undefined {
    const before = this.get(resource, namespace, name);
    if (!before) return undefined;
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(++this.revision) } };
    return this.#change({ revision: this.revision, resource, type: 'DELETED', object });
  }

  get(resource: string, namespace: string | undefined, name: string): ApiObject | undefined {
    return this.#current.get(`${resource}/${namespace ?? ''}/${name}`);
  }

  /** The objects of a resource as they were at a revision, in the order of their keys. */
  list(resource: string, revision: number, namespace?: string): ApiObject[] {
    const objects = new Map<string, ApiObject>();
    for (const change of this.#changes) {
      if (change.revision > revision) break;
      if (change.resource !== resource || (namespace !== undefined && change.object.metadata.namespace !== namespace)) continue;
      if (change.type === 'DELETED') objects.delete(keyOf(change.object));
      else objects.set(keyOf(change.object), change.object);
    }
    return [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** What changed after a revision, oldest first. */
  since(resource: string, revision: number): Change[] {
    return this.#changes.filter((change) => change.resource === resource && change.revision > revision);
  }

  /** Tells of each change from now on; returns how to stop. */
  follow(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets the history up to now. */
  compact(): void {
    this.compacted = this.revision;
  }

  #change(change: Change): ApiObject {
    const key = `${change.resource}/${keyOf(change.object)}`;
    if (change.type === 'DELETED') this.#current.delete(key);
    else this.#current.set(key, change.object);
    this.#changes.push(change);
    for (const listener of this.#listeners) listener(change);
    return change.object;
  }
}

/** Place of an object in the order of its resource. */
export function keyOf({ metadata }: ApiObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
