import DataLoader from 'dataloader';
import type { Scope } from '../../platform/scope.js';
import type { Cluster } from '../../store/cluster.js';
import type { ClusterCredential } from '../../store/cluster-credential.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import type { AffectedObject } from '../../store/queries/find-affected-objects.js';
import type { EpisodeRecord } from '../../store/queries/find-episodes.js';
import type { EventPage, EventRecord } from '../../store/queries/find-incident-events.js';
import type { LatestObject } from '../../store/queries/find-latest-objects.js';
import type { IncidentRecord } from '../../store/queries/incident-columns.js';
import { isUuid } from './to-incident-types.js';

/**
 * Gathers what the rows of one request ask for into one statement per kind of thing, however many rows there are. Made
 * anew for every request, for what its caller may see.
 */
export class RequestLoader {
  readonly cluster: DataLoader<number, Cluster | undefined>;
  /** By name, and undefined outside the scope. */
  readonly clusterByName: DataLoader<string, Cluster | undefined>;
  /** By id, and undefined outside the scope. */
  readonly incident: DataLoader<string, IncidentRecord | undefined>;
  readonly openIncidents: DataLoader<number, number>;
  readonly tokens: DataLoader<number, ClusterCredential[]>;
  readonly signingSecrets: DataLoader<number, ClusterCredential[]>;
  readonly latestObject: DataLoader<string, LatestObject | undefined>;
  readonly eventCount: DataLoader<string, number>;
  readonly #perArguments = new Map<string, DataLoader<string, unknown>>();

  constructor(
    clusters: ClusterRepository,
    private readonly incidents: IncidentRepository,
    scope: Scope,
  ) {
    this.cluster = new DataLoader(async (ids) => {
      const found = new Map((await clusters.findByIds(ids)).map((cluster) => [cluster.id, cluster]));
      return ids.map((id) => found.get(id));
    });
    this.clusterByName = new DataLoader(async (names) => {
      const found = new Map((await clusters.findByNames(names, scope)).map((cluster) => [cluster.name, cluster]));
      return names.map((name) => found.get(name));
    });
    this.incident = new DataLoader(async (ids) => {
      const found = new Map((await incidents.findAll(ids.filter(isUuid), scope)).map((incident) => [incident.id, incident]));
      return ids.map((id) => found.get(id.toLowerCase()));
    });
    this.openIncidents = new DataLoader(async (ids) => {
      const counts = await clusters.countOpenIncidents(ids, scope);
      return ids.map((id) => counts.get(id) ?? 0);
    });
    this.tokens = new DataLoader(async (ids) => {
      const found = await clusters.tokens(ids);
      return ids.map((id) => found.get(id) ?? []);
    });
    this.signingSecrets = new DataLoader(async (ids) => {
      const found = await clusters.signingSecrets(ids);
      return ids.map((id) => found.get(id) ?? []);
    });
    this.latestObject = new DataLoader(async (ids) => {
      const found = await incidents.latestObjects(ids);
      return ids.map((id) => found.get(id));
    });
    this.eventCount = new DataLoader(async (ids) => {
      const counts = await incidents.countEvents(ids);
      return ids.map((id) => counts.get(id) ?? 0);
    });
  }

  /** Affected objects of an incident, at most `limit`. */
  affected(incidentId: string, limit: number): Promise<AffectedObject[]> {
    return this.#load('affected', [limit], incidentId, (ids) => this.incidents.affected(ids, limit));
  }

  /** Episodes of an incident, at most `limit`. */
  episodes(incidentId: string, limit: number): Promise<EpisodeRecord[]> {
    return this.#load('episodes', [limit], incidentId, (ids) => this.incidents.episodes(ids, limit));
  }

  /** Events of an incident after a position. */
  events(incidentId: string, page: EventPage): Promise<EventRecord[]> {
    return this.#load('events', [page.limit, page.after], incidentId, (ids) => this.incidents.events(ids, page));
  }

  /** Rows that ask with the same arguments share a statement; an alias with others has its own. */
  #load<T>(what: string, args: readonly unknown[], id: string, find: (ids: readonly string[]) => Promise<Map<string, T[]>>): Promise<T[]> {
    const key = JSON.stringify([what, ...args]);
    const loader =
      (this.#perArguments.get(key) as DataLoader<string, T[]> | undefined) ??
      new DataLoader<string, T[]>(async (ids) => {
        const found = await find(ids);
        return ids.map((each) => found.get(each) ?? []);
      });
    this.#perArguments.set(key, loader as DataLoader<string, unknown>);
    return loader.load(id);
  }
}
