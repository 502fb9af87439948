import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { covers } from '../incidents/silencing.js';
import type { Silencing } from '../incidents/silencing.js';
import { KnowledgeService } from '../knowledge/knowledge.service.js';
import { Silencings } from '../pipeline/silencings.service.js';
import { Clock } from '../platform/clock.js';
import { LOGGER } from '../platform/logger.service.js';
import { detached } from '../platform/work-context.service.js';
import type { Logger } from '../platform/logger.service.js';
import { Metrics } from '../platform/metrics.service.js';
import { ChangeListener } from '../store/change-listener.service.js';
import type { OutboxTurn } from '../store/outbox.repository.js';
import { OutboxRepository } from '../store/outbox.repository.js';
import { ChangesExpiredError } from '../store/queries/find-incident-changes.js';
import type { ChangeBatch, IncidentChange } from '../store/queries/find-incident-changes.js';
import type { IncidentRecord } from '../store/queries/incident-columns.js';
import type { ToldRow } from '../store/queries/find-told.js';
import type { Webhook } from '../store/webhook.js';
import { BOUNDS } from './notify-options.js';
import { Sender } from './sender.service.js';
import { WebhookTurn } from './webhook-turn.js';

const BATCH = 500;
/** Incidents that one digest carries to a receiver that groups by itself. */
const DIGEST_INCIDENTS = 1000;
/** A turn is taken this often, or at once when changes are told, milliseconds. */
const EVERY = 1_000;
const GAP = 100;
/** The position is moved at least this often although nothing has changed, milliseconds. */
const MOVE = 60_000;

/** What there is to tell in a turn. */
interface Work {
  now: number;
  webhooks: readonly Webhook[];
  changes: readonly IncidentChange[];
  due: readonly ToldRow[];
  silencings: readonly Silencing[];
}

/** Turns changes of incidents into messages of the outbox. One replica at a time does so; all try. */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #lost;
  #stopListening: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer runs out; Infinity without one. */
  #runAt = Infinity;
  #running: Promise<unknown> | undefined;
  #again = false;
  #moved = -Infinity;
  /** Changes were lost: what has ended meanwhile is looked for. */
  #ended = true;
  #stopped = false;

  constructor(
    private readonly outbox: OutboxRepository,
    private readonly knowledge: KnowledgeService,
    private readonly silencings: Silencings,
    private readonly clock: Clock,
    private readonly sender: Sender,
    private readonly listener: ChangeListener,
    @Inject(LOGGER) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.#lost = metrics.counter(
      'casebook_webhook_changes_lost_total',
      'Times that changes had been dropped before webhooks could be told of them.',
    );
  }

  onApplicationBootstrap(): void {
    this.#stopListening = this.listener.listen(() => this.#wait(GAP));
    this.#wait(0);
  }

  async onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Has failures that ended while a webhook was switched off told of in the next turn. */
  lookForEnded(): void {
    this.#ended = true;
    this.#wait(0);
  }

  /** Takes turns until nothing is left to tell, or another replica has the turn. `later` milliseconds are added to the time. */
  async run(later = 0): Promise<void> {
    for (let more: boolean | undefined = true; more && !this.#stopped; this.sender.wake()) {
      // Read before the turn begins: a turn has one connection, and may be all that the pool has.
      const silencings = await this.silencings.running(this.clock.now() + later);
      more = await this.outbox.turn((turn) => this.#turn(turn, later, silencings));
    }
  }

  #wait(pause: number): void {
    if (this.#stopped) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    const runAt = performance.now() + pause;
    // Changes that go on coming must not put off the turn that will read them.
    if (this.#runAt <= runAt) return;
    clearTimeout(this.#timer);
    this.#runAt = runAt;
    const run = (): void => {
      this.#runAt = Infinity;
      this.#again = false;
      this.#running = this.run()
        .catch((error: unknown) => this.logger.warn({ err: error }, 'changes could not be made into messages and will be read again'))
        .finally(() => {
          this.#running = undefined;
          this.#wait(this.#again ? GAP : EVERY);
        });
    };
    this.#timer = detached(() => setTimeout(run, pause));
    this.#timer.unref();
  }

  /** One batch of changes. Returns whether there is more to do at once. */
  async #turn(turn: OutboxTurn, later: number, silencings: readonly Silencing[]): Promise<boolean> {
    const now = (await turn.now()) + later;
    const position = (await turn.position()) ?? (await turn.latestPosition());
    const webhooks = (await turn.webhooks()).filter(({ enabled }) => enabled);
    const batch = await this.#read(turn, position);
    const due = webhooks.length > 0 ? await this.#due(turn, now) : [];
    if (webhooks.length > 0 && (batch.changes.length > 0 || due.length > 0 || webhooks.some(({ stormId }) => stormId !== null))) {
      await this.#tell(turn, { now, webhooks, changes: batch.changes, due, silencings });
    }
    if (batch.changes.length > 0 || performance.now() - this.#moved > MOVE) {
      await turn.move(batch.end);
      this.#moved = performance.now();
    }
    return batch.more || due.length >= BATCH;
  }

  async #read(turn: OutboxTurn, position: { xid: string; seq: string }): Promise<ChangeBatch> {
    try {
      return await turn.changesAfter(position, BATCH);
    } catch (error) {
      if (!(error instanceof ChangesExpiredError)) throw error;
      this.#lost.inc();
      this.#ended = true;
      this.#moved = -Infinity;
      this.logger.error({}, 'changes were dropped before webhooks could be told of them: new failures among them are not told');
      return { changes: [], end: await turn.latestPosition(), more: false, waiting: false };
    }
  }

  async #due(turn: OutboxTurn, now: number): Promise<ToldRow[]> {
    const due = await turn.dueTold(now, BATCH);
    if (!this.#ended) return due;
    const ended = await turn.endedTold(BATCH);
    if (ended.length < BATCH) this.#ended = false;
    return [...due, ...ended];
  }

  async #tell(turn: OutboxTurn, { now, webhooks, changes, due, silencings }: Work): Promise<void> {
    // What went into another one passes its wait on to that one, whose own change may have been in the batch before.
    const into = changes.flatMap(({ mergedInto }) => mergedInto ?? []);
    const ids = [...new Set([...[...changes, ...due].map(({ incidentId }) => incidentId), ...into])];
    const storming = webhooks.filter(({ preset, stormId }) => preset === 'alertmanager' && stormId !== null);
    const digested = new Map<string, string[]>();
    for (const { id } of storming) digested.set(id, await turn.gatheredIncidents(id, DIGEST_INCIDENTS));
    const found = await turn.clusters();
    const clusters = new Map(found.map(({ id, name }) => [id, name]));
    const removed = new Set(found.flatMap(({ id, removing }) => (removing ? [id] : [])));
    const incidents = await turn.incidents([...new Set([...ids, ...[...digested.values()].flat()])]);
    const silenced = silencedAmong(incidents, clusters, silencings);
    const facts = { now, knowledge: this.knowledge.current(), clusters, removed, incidents, silenced, newId: randomUUID };
    const told = await turn.told(ids);
    const waiting = await turn.waiting();
    const parts = new Map<string, WebhookTurn>();
    const emptied: { webhookId: string; incidentIds: string[] | null }[] = [];
    for (const webhook of webhooks) {
      const { id, filter } = webhook;
      const part = new WebhookTurn(
        webhook,
        facts,
        told.filter(({ webhookId }) => webhookId === id),
        (waiting.get(id) ?? 0) >= BOUNDS.waiting,
      );
      parts.set(id, part);
      if (part.digestDue) {
        part.tellDigest(await turn.gathered(id), digested.get(id) ?? []);
        emptied.push({ webhookId: id, incidentIds: digested.get(id) ?? null });
      }
      const over = due.filter(({ webhookId }) => webhookId === id);
      const begun = [...changes.filter(({ status }) => status !== 'resolved'), ...over].map(({ incidentId }) => incidentId);
      const wanted = begun.length > 0 ? await turn.matching([...new Set(begun)], filter) : new Set<string>();
      for (const change of changes) part.takeChange(change, wanted.has(change.incidentId));
      for (const row of over) part.takeDue(row, wanted.has(row.incidentId));
      part.finish();
    }
    const all = [...parts.values()];
    await turn.write({
      told: all.flatMap((part) => part.told),
      deliveries: all.flatMap((part) => part.deliveries),
      gathered: all.flatMap((part) => part.gathered),
      windows: [...parts].map(([id, { pace }]) => ({ id, ...pace })),
      emptied,
    });
    await this.#tellStormsEnded(turn, webhooks, parts);
  }

  /** A receiver that keeps an alert open for a digest is told when all its failures have ended. */
  async #tellStormsEnded(turn: OutboxTurn, webhooks: readonly Webhook[], parts: ReadonlyMap<string, WebhookTurn>): Promise<void> {
    const keepers = webhooks.filter(({ preset }) => preset === 'pagerduty').map(({ id }) => id);
    const ids = keepers.flatMap((id) => [...parts.get(id)!.ended]);
    if (ids.length === 0) return;
    const before = new Map(keepers.map((id) => [id, parts.get(id)!.deliveries.length]));
    for (const { id, webhookId } of await turn.endedDigests(ids)) parts.get(webhookId)!.tellStormEnded(id);
    await turn.queue([...before].flatMap(([id, count]) => parts.get(id)!.deliveries.slice(count)));
  }
}

/** Which incidents a silence or a maintenance window covers that is running. */
function silencedAmong(
  incidents: ReadonlyMap<string, IncidentRecord>,
  clusters: ReadonlyMap<number, string>,
  silencings: readonly Silencing[],
): Set<string> {
  const silenced = [...incidents.values()].filter(({ clusterId, problemId, severity, subject }) => {
    const { kind, namespace, name } = subject;
    const incident = { cluster: clusters.get(clusterId) ?? '', namespace, problemId, severity, kind, name };
    return silencings.some((silencing) => covers(silencing, incident));
  });
  return new Set(silenced.map(({ id }) => id));
}
