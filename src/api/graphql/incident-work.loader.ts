import { Injectable } from '@nestjs/common';
import DataLoader from 'dataloader';
import type { Silencing } from '../../incidents/silencing.js';
import { Silencings } from '../../pipeline/silencings.service.js';
import { Clock } from '../../platform/clock.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import type { HistoryPage, HistoryRecord } from '../../store/queries/find-incident-history.js';
import type { SilencingChange } from '../../store/queries/find-silencings.js';
import { SilencingRepository } from '../../store/silencing.repository.js';

interface Loaders {
  count: DataLoader<string, number>;
  silencings: DataLoader<string, Silencing[]>;
  changes: DataLoader<string, SilencingChange[]>;
  history: Map<string, DataLoader<string, HistoryRecord[]>>;
}

/** Gathers what the rows of one request ask about work on incidents into one statement per kind of thing. */
@Injectable()
export class IncidentWorkLoader {
  readonly #loaders = new WeakMap<object, Loaders>();

  constructor(
    private readonly incidents: IncidentRepository,
    private readonly silencingsOf: Silencings,
    private readonly silencingRepository: SilencingRepository,
    private readonly clock: Clock,
  ) {}

  /** History of an incident after a position. */
  history(context: object, incidentId: string, page: HistoryPage): Promise<HistoryRecord[]> {
    const { history } = this.#of(context);
    const key = JSON.stringify(page);
    const loader = history.get(key) ?? byId((ids) => this.incidents.history(ids, page), []);
    history.set(key, loader);
    return loader.load(incidentId);
  }

  /** Number of entries of an incident's history. */
  historyCount(context: object, incidentId: string): Promise<number> {
    return this.#of(context).count.load(incidentId);
  }

  /** What silences an incident now. */
  silencings(context: object, incidentId: string): Promise<Silencing[]> {
    return this.#of(context).silencings.load(incidentId);
  }

  /** Changes of a silence or maintenance window. */
  changes(context: object, id: string): Promise<SilencingChange[]> {
    return this.#of(context).changes.load(id);
  }

  #of(context: object): Loaders {
    const known = this.#loaders.get(context);
    if (known) return known;
    const loaders: Loaders = {
      count: byId((ids) => this.incidents.countHistory(ids), 0),
      silencings: byId((ids) => this.silencingsOf.matching(ids, this.clock.now()), []),
      changes: byId((ids) => this.silencingRepository.changes(ids), []),
      history: new Map(),
    };
    this.#loaders.set(context, loaders);
    return loaders;
  }
}

/** Without a memory: a second mutation of the same request is told what it changed. */
function byId<T>(find: (ids: readonly string[]) => Promise<Map<string, T>>, none: T): DataLoader<string, T> {
  return new DataLoader<string, T>(
    async (ids) => {
      const found = await find(ids);
      return ids.map((id) => found.get(id) ?? none);
    },
    { cache: false },
  );
}
