import type { ClusterEvent } from '../../events/cluster-event.js';
import type { ApiConnection } from './api-connection.watcher.js';
import type { FollowOptions, ObjectOptions, OpenObject, WatchTiming } from './followed-cluster.js';
import { goneEvent } from './gone-event.js';
import { OBJECT_KINDS, objectPaths } from './object-paths.js';
import { faultOfAnswer, saysObjectIsGone, WatchFault } from './watch-fault.js';

/** Objects that are looked at in one round; the next one goes on with those after them. */
const ROUND = 200;
/** Only that the object is there is of interest, so that nothing else of it is sent. */
const METADATA_ONLY = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=1,application/json';

type Found = { type: 'there' } | { type: 'gone' } | { type: 'refused'; reason: string };

/**
 * Looks by turns at the objects that something is open about, and delivers an event for each that is gone. Asking for a few names
 * needs less than watching all objects does: the right to `get` alone, hardly any traffic, no memory, and it makes no
 * difference whether an object went while nobody was watching.
 */
export async function followObjects(
  options: FollowOptions,
  timing: WatchTiming,
  connection: ApiConnection,
  caughtUp: Promise<void>,
): Promise<void> {
  const { objects, signal } = options;
  if (!objects) return untilAborted(signal);
  const look = new ObjectLook(options, objects, connection);
  await caughtUp;
  while (!signal.aborted) {
    await look.round();
    await options.delay(timing.objectsEveryMs, signal);
  }
}

class ObjectLook {
  /** Where the next round goes on. */
  #after = '';
  readonly #unfollowed = new Map<string, string>();
  #told = '[]';

  constructor(
    private readonly options: FollowOptions,
    private readonly objects: ObjectOptions,
    private readonly connection: ApiConnection,
  ) {}

  async round(): Promise<void> {
    const { signal, now, deliver } = this.options;
    const gone: ClusterEvent[] = [];
    const { objects, next } = await this.#openObjects();
    const refused = new Set<string>();
    for (const object of objects) {
      if (signal.aborted) return;
      // Some senders tell no name; nothing can be asked about that.
      if (refused.has(object.kind) || objectPaths(object).length === 0) continue;
      const at = now();
      const found = await this.#find(object);
      // The connection is in trouble, which the follow of Events tells and cures.
      if (found === undefined) return;
      if (found.type === 'gone') gone.push(goneEvent(object, at));
      if (found.type === 'refused') refused.add(object.kind);
      this.#note(object.kind, found);
    }
    this.#after = next ?? '';
    this.#tell();
    if (gone.length > 0) await deliver({ events: gone, deleted: [], rejected: [], position: undefined });
  }

  async #openObjects(): Promise<{ objects: readonly OpenObject[]; next: string | undefined }> {
    try {
      return await this.objects.findOpen(OBJECT_KINDS, this.#after, ROUND);
    } catch (error) {
      this.objects.tellFailure(error);
      return { objects: [], next: undefined };
    }
  }

  async #find(object: OpenObject): Promise<Found | undefined> {
    let refusal: WatchFault | undefined;
    for (const path of objectPaths(object)) {
      const asked = `${object.kind} ${object.name}`;
      try {
        const answer = await this.connection.open({ path, asked, signal: this.options.signal, accept: METADATA_ONLY });
        if (answer.status === 200) {
          await answer.body.dump();
          return { type: 'there' };
        }
        const body = await this.connection.read(answer, asked);
        if (saysObjectIsGone(answer.status, body, object.name)) return { type: 'gone' };
        refusal = faultOfAnswer({ ...answer, body, asked });
        if (refusal.code !== 'FORBIDDEN' && refusal.code !== 'UNEXPECTED_ANSWER') return undefined;
      } catch (error) {
        if (error instanceof WatchFault) return undefined;
        throw error;
      }
    }
    return { type: 'refused', reason: refusal?.message ?? 'its kind is not known' };
  }

  #note(kind: string, found: Found): void {
    if (found.type === 'refused') this.#unfollowed.set(kind, found.reason);
    else this.#unfollowed.delete(kind);
  }

  #tell(): void {
    const unfollowed = [...this.#unfollowed].map(([kind, reason]) => ({ kind, reason })).sort((a, b) => (a.kind < b.kind ? -1 : 1));
    const said = JSON.stringify(unfollowed);
    if (said !== this.#told) this.objects.tell(unfollowed);
    this.#told = said;
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
