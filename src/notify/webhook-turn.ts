import type { Knowledge } from '../knowledge/problem.js';
import type { GatheredCount } from '../store/queries/find-gathered.js';
import type { IncidentChange } from '../store/queries/find-incident-changes.js';
import type { ToldRow } from '../store/queries/find-told.js';
import type { IncidentOrGone } from '../store/queries/match-incidents.js';
import type { Gathered, ToldChange } from '../store/statements/write-messages.js';
import type { NewDelivery, Told, ToldKind, Webhook } from '../store/webhook.js';
import type { Patience, ToldDecision } from './decide-told.js';
import { decideDue, decideTold } from './decide-told.js';
import type { Message } from './message.js';
import { isDigestDue, afterDigest, paceMessages } from './pace.js';
import type { Pace, StormLimits } from './pace.js';
import { renderBody } from './render-body.js';
import { digestCountOf, factsOf } from './show-facts.js';

/** Most rows of a digest; the rest is counted. */
const DIGEST_ROWS = 20;

/** What all webhooks decide by in one turn. */
export interface TurnFacts {
  /** Milliseconds since the epoch, by the database's clock. */
  now: number;
  knowledge: Pick<Knowledge, 'byId'>;
  clusters: ReadonlyMap<number, string>;
  /** Clusters that are being removed, and everything in them with them. */
  removed: ReadonlySet<number>;
  incidents: ReadonlyMap<string, IncidentOrGone>;
  silenced: ReadonlySet<string>;
  newId: () => string;
}

/** What of an incident is told as it was at the change, which may not be what it is now. */
interface AsTold {
  status?: string;
  severity?: string;
  mergedInto?: string | null;
  resolvedAt?: number;
  resolvedBy?: string;
}

/** One webhook's part in a turn: decides what it tells, and gathers what has to be written for it. */
export class WebhookTurn {
  readonly told: ToldChange[] = [];
  readonly deliveries: NewDelivery[] = [];
  readonly gathered: Gathered[] = [];
  /** Messages that told of failures which have ended now. */
  readonly ended = new Set<string>();
  pace: Pace;
  readonly #known: Map<string, Told>;
  readonly #changed = new Map<string, { clusterId: number; told: Told | undefined }>();
  readonly #patience: Patience;
  readonly #limits: StormLimits;

  constructor(
    private readonly webhook: Webhook,
    private readonly facts: TurnFacts,
    known: readonly ToldRow[],
    /** Whether too many of its messages wait already. */
    private readonly full: boolean,
  ) {
    const { kinds, holdSeconds, flapSeconds, stormCount, stormSeconds, windowAt, windowCount, stormId, stormAt } = webhook;
    this.pace = { windowAt, windowCount, stormId, stormAt };
    this.#patience = { kinds, hold: holdSeconds * 1000, flap: flapSeconds * 1000 };
    this.#limits = { count: stormCount, span: stormSeconds * 1000 };
    this.#known = new Map(
      known.map(({ incidentId, state, kind, dueAt, recoveredAt, deliveryId, counted }) => [
        incidentId,
        { state, kind, dueAt, recoveredAt, deliveryId, counted },
      ]),
    );
  }

  /** Whether the digest that is being gathered has to be told before anything else. */
  get digestDue(): boolean {
    return isDigestDue(this.pace, this.#limits, this.facts.now);
  }

  /** Tells what was gathered; `incidentIds` for receivers that take the incidents themselves. */
  tellDigest(counts: readonly GatheredCount[], incidentIds: readonly string[]): void {
    const { now, knowledge, newId } = this.facts;
    const { locale } = this.webhook;
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const id = this.pace.stormId!;
    if (total > 0) {
      const shown = counts.slice(0, DIGEST_ROWS).map((count) => digestCountOf(count, knowledge.byId.get(count.problemId), locale));
      const incidents = incidentIds.flatMap((incidentId) => this.#factsOf(incidentId) ?? []);
      this.#queue(
        { ...this.#head(id, now), kind: 'DIGEST', total, counts: shown, more: counts.length - shown.length, incidents },
        null,
        null,
        null,
      );
      this.ended.add(id);
    }
    this.pace = afterDigest(this.#limits, total, now, newId());
  }

  /** Decides about a change. */
  takeChange(change: IncidentChange, wanted: boolean): void {
    if (change.at < this.webhook.since || !this.facts.incidents.has(change.incidentId)) return;
    const { incidentId, clusterId, kind, status, severity, severityBefore, mergedInto, at } = change;
    const told = this.#toldOf(incidentId);
    const happening = { kind, status, escalated: severityBefore !== null && severityBefore !== severity };
    const standing = { wanted, silenced: this.facts.silenced.has(incidentId), now: this.facts.now };
    const decided = decideTold(told, happening, standing, this.#patience);
    // Of one that went into another there is nothing more to know.
    const after = mergedInto === null ? decided : { ...decided, told: undefined };
    this.#apply(incidentId, clusterId, told, after, at, { status, severity, mergedInto });
    if (mergedInto !== null && told) this.#passOn(told, mergedInto, clusterId);
  }

  /** Decides about a failure that was held for as long as was meant, or that ended without a change that was read. */
  takeDue({ incidentId, clusterId }: ToldRow, wanted: boolean): void {
    const told = this.#toldOf(incidentId);
    if (!told) return;
    const { now, removed } = this.facts;
    const incident = this.facts.incidents.get(incidentId);
    const ended = removed.has(clusterId) ? { status: 'resolved', resolvedAt: now, resolvedBy: 'OBJECT_GONE', mergedInto: null } : {};
    const status = ended.status ?? incident?.status ?? 'resolved';
    // What has ended is not waited for.
    if (status !== 'resolved' && (told.state === 'told' || told.dueAt! > now)) return;
    const standing = { wanted, silenced: this.facts.silenced.has(incidentId), now };
    const decided = decideDue(told, status, standing, this.#patience);
    const after = incident?.mergedInto === null ? decided : { ...decided, told: undefined };
    this.#apply(incidentId, clusterId, told, after, now, ended);
  }

  /** Tells that all failures of a digest have ended. */
  tellStormEnded(digest: string): void {
    const { now, newId } = this.facts;
    this.#queue({ ...this.#head(newId(), now), kind: 'STORM_ENDED', digest }, null, null, digest);
  }

  /** What is to be written, once everything is decided. */
  finish(): void {
    for (const [incidentId, { clusterId, told }] of this.#changed)
      this.told.push({ webhookId: this.webhook.id, incidentId, clusterId, told });
  }

  /** A failure that goes on in another incident has waited already, or was told: the other one, if it is held, does not wait anew. */
  #passOn(told: Told, mergedInto: string, clusterId: number): void {
    const into = this.#toldOf(mergedInto);
    if (into?.state !== 'held' || told.state === 'recovered') return;
    const calm = into.recoveredAt === null ? 0 : into.recoveredAt + this.#patience.flap;
    const dueAt = Math.max(Math.min(into.dueAt!, told.dueAt ?? this.facts.now), calm);
    this.#changed.set(mergedInto, { clusterId, told: { ...into, dueAt } });
  }

  #apply(incidentId: string, clusterId: number, before: Told | undefined, { told, tell }: ToldDecision, at: number, as: AsTold): void {
    let after = told;
    if (tell && told?.state === 'told' && before?.state !== 'told') {
      const { id, counted } = this.#tellFailure(incidentId, clusterId, tell, at, as);
      after = { ...told, deliveryId: id, counted };
    } else if (tell) this.#tellNews(incidentId, clusterId, tell, at, as, before);
    if (before?.state === 'told' && after?.state !== 'told' && before.deliveryId !== null) this.ended.add(before.deliveryId);
    if (after !== before) this.#changed.set(incidentId, { clusterId, told: after });
  }

  /** Tells a failure, by itself or as part of a digest. */
  #tellFailure(incidentId: string, clusterId: number, kind: ToldKind, at: number, as: AsTold): { id: string | null; counted: boolean } {
    if (this.#goesAlone()) return { id: this.#tellAlone(incidentId, clusterId, kind, at, as, null), counted: false };
    this.gathered.push({ webhookId: this.webhook.id, incidentId, clusterId, kind, at });
    return { id: this.pace.stormId, counted: true };
  }

  /** Tells what happens to a failure after it was told. */
  #tellNews(incidentId: string, clusterId: number, kind: ToldKind, at: number, as: AsTold, before: Told | undefined): void {
    const about = before?.deliveryId ?? null;
    if (this.webhook.preset === 'pagerduty') {
      // One alert stands for all that a digest told of, and any other has to be ended by itself, however much is told at the time. No
      // alert is for the rest of what happens in a storm.
      if (before?.counted) return;
      if (kind === 'RESOLVED' || this.#goesAlone()) this.#tellAlone(incidentId, clusterId, kind, at, as, about);
    } else if (this.#goesAlone()) this.#tellAlone(incidentId, clusterId, kind, at, as, about);
    else this.gathered.push({ webhookId: this.webhook.id, incidentId, clusterId, kind, at });
  }

  /** Counts a message; false when too many are told already, so that it has to be gathered. */
  #goesAlone(): boolean {
    const { now, newId } = this.facts;
    const { pace, single } = paceMessages(this.pace, this.#limits, 1, this.full, now, newId());
    this.pace = pace;
    return single > 0;
  }

  #tellAlone(incidentId: string, clusterId: number, kind: ToldKind, at: number, as: AsTold, about: string | null): string | null {
    const incident = this.#factsOf(incidentId, as);
    if (!incident) return null;
    const id = this.facts.newId();
    this.#queue({ ...this.#head(id, at), kind, incident }, incidentId, clusterId, about);
    return id;
  }

  #queue(message: Message, incidentId: string | null, clusterId: number | null, about: string | null): void {
    const body = renderBody(this.webhook, message);
    this.deliveries.push({ id: message.id, webhookId: this.webhook.id, incidentId, clusterId, kind: message.kind, about, body });
  }

  #head(id: string, at: number): { id: string; webhook: string; locale: 'en' | 'zh'; at: number } {
    return { id, webhook: this.webhook.name, locale: this.webhook.locale, at };
  }

  #factsOf(incidentId: string, as: AsTold = {}) {
    const incident = this.facts.incidents.get(incidentId);
    if (!incident) return undefined;
    const cluster = this.facts.clusters.get(incident.clusterId) ?? String(incident.clusterId);
    return factsOf({ ...incident, ...as }, cluster, this.facts.knowledge.byId.get(incident.problemId), this.webhook.locale);
  }

  #toldOf(incidentId: string): Told | undefined {
    const changed = this.#changed.get(incidentId);
    return changed ? changed.told : this.#known.get(incidentId);
  }
}
