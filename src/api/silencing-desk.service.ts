import { Injectable } from '@nestjs/common';
import type { Silencing } from '../incidents/silencing.js';
import { KnowledgeService } from '../knowledge/knowledge.service.js';
import type { Caller } from '../platform/access.js';
import { actorOf } from '../platform/access.js';
import { Clock } from '../platform/clock.js';
import type { Scope } from '../platform/scope.js';
import { ClusterRepository } from '../store/cluster.repository.js';
import { SilencingConflictError, SilencingUnknownError } from '../store/silencing-errors.js';
import { SilencingRepository } from '../store/silencing.repository.js';
import type { SilencingRequest } from '../store/silencing.repository.js';
import type { SaidSilencing } from '../store/statements/write-silencing.js';
import { checkSilencing } from './check-silencing.js';
import type { SilencingFacts, WantedSilencing } from './check-silencing.js';
import { checkId, checkVersion } from './check-work.js';
import { checkWithin, concerns, narrowed } from './silencing-scope.js';

/** Who asks. */
interface Asking {
  caller: Caller;
  scope: Scope;
}

/** Takes silences and maintenance windows from callers: checks them, and keeps them within the caller's scope. */
@Injectable()
export class SilencingDesk {
  constructor(
    private readonly repository: SilencingRepository,
    private readonly clusters: ClusterRepository,
    private readonly knowledge: KnowledgeService,
    private readonly clock: Clock,
  ) {}

  /** Creates one. */
  async create(kind: Silencing['kind'], wanted: WantedSilencing, { caller, scope }: Asking): Promise<Silencing> {
    const facts = await this.#facts(scope);
    const said = checkSilencing(kind, wanted, null, facts);
    checkWithin(said, scope);
    return this.repository.create(said, actorOf(caller), facts.now);
  }

  /** Changes what is said of one whose time is not over. */
  async update(kind: Silencing['kind'], id: string, version: number | null, wanted: WantedSilencing, asking: Asking): Promise<Silencing> {
    const facts = await this.#facts(asking.scope);
    return this.#change({ kind, id, version, now: facts.now, asking }, 'UPDATED', (before) => {
      const said = checkSilencing(kind, wanted, before, facts);
      checkWithin(said, asking.scope);
      return said;
    });
  }

  /** Ends one now. */
  async end(kind: Silencing['kind'], id: string, version: number | null, asking: Asking): Promise<Silencing> {
    const now = this.clock.now();
    return this.#change({ kind, id, version, now, asking }, 'ENDED', (before) => ({
      ...before,
      startsAt: Math.min(before.startsAt, now),
      endsAt: now,
    }));
  }

  async #change(
    { kind, id, version, now, asking }: { kind: Silencing['kind']; id: string; version: number | null; now: number; asking: Asking },
    what: 'UPDATED' | 'ENDED',
    change: (before: Silencing) => SaidSilencing,
  ): Promise<Silencing> {
    const { caller, scope } = asking;
    const known = checkId(kind === 'silence' ? 'silence' : 'maintenance window', id);
    const request: SilencingRequest = { kind, id: known, scope, by: actorOf(caller), expectedVersion: checkVersion(version), now };
    const after = await this.repository.change(request, what, (before) => {
      if (!concerns(before, scope)) throw new SilencingUnknownError(kind, id);
      checkWithin(before, scope);
      if (before.endsAt !== null && before.endsAt <= now)
        throw new SilencingConflictError(
          `It ended at ${new Date(before.endsAt).toISOString()} and cannot be changed any more; create a new one.`,
        );
      return change(before);
    });
    return narrowed(after, scope);
  }

  async #facts(scope: Scope): Promise<SilencingFacts> {
    const clusters = (await this.clusters.list(scope)).map(({ name }) => name);
    return { clusters, knowledge: this.knowledge.current(), now: this.clock.now() };
  }
}
