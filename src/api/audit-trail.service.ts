import { Inject, Injectable } from '@nestjs/common';
import { actorOf, scopeOf } from '../platform/access.js';
import type { AskedAction, RefusalTrail } from '../platform/access.js';
import { Clock } from '../platform/clock.js';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { EVERYTHING } from '../platform/scope.js';
import { AuditRepository } from '../store/audit.repository.js';
import type { Cluster } from '../store/cluster.js';
import { ClusterRepository } from '../store/cluster.repository.js';
import { auditInput } from './audit-input.js';
import { changedFields } from './changed-fields.js';

/** The same refusal of the same caller is written at most this often, milliseconds: a script that goes on asking fills no table. */
const REFUSAL_EVERY = 60_000;
const MOST_REFUSALS = 10_000;

/** Writes what callers change, and what they are refused, into the audit log. */
@Injectable()
export class AuditTrail implements RefusalTrail {
  readonly #refused = new Map<string, number>();

  constructor(
    private readonly audit: AuditRepository,
    private readonly clusters: ClusterRepository,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Does what was asked and writes it down with what it changed of the cluster, in one transaction: what cannot be written down is not
   * done. Throws what the work throws.
   */
  record<T>(asked: AskedAction, work: () => Promise<T>): Promise<T> {
    return this.audit.together(() => this.recordAfter(asked, work));
  }

  /** The same for what reaches beyond the database, where nothing can be taken back: it is written down when it is done. */
  async recordAfter<T>(asked: AskedAction, work: () => Promise<T>): Promise<T> {
    const before = await this.#look(asked.cluster);
    const result = await work();
    const after = await this.#look(asked.cluster);
    await this.audit.add({
      actor: actorOf(asked.caller),
      action: asked.action,
      outcome: 'done',
      target: targetOf(asked),
      clusters: clustersOf(asked),
      input: auditInput(asked.args) as object,
      ...changedFields(before, after),
    });
    return result;
  }

  async refused(asked: AskedAction): Promise<void> {
    const actor = actorOf(asked.caller);
    const now = this.clock.now();
    const key = `${actor.id} ${asked.action}`;
    if (now - (this.#refused.get(key) ?? -Infinity) < REFUSAL_EVERY) return;
    this.#refused.delete(key);
    if (this.#refused.size >= MOST_REFUSALS) this.#refused.delete(this.#refused.keys().next().value!);
    this.#refused.set(key, now);
    try {
      await this.audit.add({ actor, action: asked.action, outcome: 'refused', target: targetOf(asked), clusters: clustersOf(asked) });
    } catch (error) {
      this.logger.warn({ err: error, action: asked.action, actor: actor.id }, 'a refusal could not be written into the audit log');
    }
  }

  async #look(name: string | undefined): Promise<Record<string, unknown> | undefined> {
    if (name === undefined) return undefined;
    const found = await this.clusters.findByName(name, EVERYTHING);
    return found && settingsOf(found);
  }
}

/** What people set of a cluster; not what comes and goes by itself. */
function settingsOf({ provider, region, labels, suspendedAt, suspendedReason, removingAt, ...cluster }: Cluster): Record<string, unknown> {
  const { signaturesRequired, eventsPerSecond, maxBodyBytes } = cluster;
  return { provider, region, labels, suspendedAt, suspendedReason, removingAt, signaturesRequired, eventsPerSecond, maxBodyBytes };
}

function targetOf({ cluster, args }: AskedAction): string | null {
  const { id, input } = args as { id?: unknown; input?: { name?: unknown } };
  const target = cluster ?? id ?? input?.name;
  return typeof target === 'string' || typeof target === 'number' ? String(target).slice(0, 200) : null;
}

/** Whoever may see certain clusters only is told of what was done by those with the same narrow view, and of their own clusters. */
function clustersOf({ cluster, caller }: AskedAction): readonly string[] | null {
  return cluster === undefined ? scopeOf(caller).clusters : [cluster];
}
