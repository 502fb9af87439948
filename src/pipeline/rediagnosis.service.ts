import { setTimeout as later } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Delivery } from '../incidents/delivery.js';
import type { Provider } from '../knowledge/problem-file.js';
import { matchEvent } from '../matching/match-event.js';
import { EVERYTHING } from '../platform/scope.js';
import { ClusterGoneError, IntakeRepository } from '../store/intake.repository.js';
import type { StoredEvent } from '../store/queries/find-stored-events.js';
import type { OpenIncident, Rediagnosis } from '../store/rediagnosis.repository.js';
import { RediagnosisRepository } from '../store/rediagnosis.repository.js';
import { StoredEventRepository } from '../store/stored-event.repository.js';
import { applyBatch } from './apply-batch.js';
import { groupBy } from './group-by.js';
import { IncidentWork } from './incident-work.service.js';
import { recognise } from './recognise.js';
import type { Recogniser } from './recognise.js';
import { RecogniserService } from './recogniser.service.js';
import { takeBackSightings } from './take-back-sightings.js';
import { IncidentConflictError, IncidentUnknownError } from './work-errors.js';

/** Events, and incidents, of one step. */
const PAGE = 200;
/** Pause between two steps in milliseconds, so that intake always gets its turn. */
const PAUSE = 50;
/** What these report is not all stored: which alert it was, or that the object was deleted. */
const UNLIKE_STORED = new Set(['alertmanager', 'casebook']);
const ALL_TIME = { from: 0, to: Date.UTC(9999, 0, 1) };
const BY = { id: 'casebook', name: 'casebook' };

/**
 * Brings what is stored up to the knowledge in force after that has changed: stored Events that show a problem now open its incident,
 * and open incidents whose problem is gone, or that none of their Events shows any more, end. In small steps, each a transaction like
 * a batch of intake; doing a step twice changes nothing. docs/knowledge.md tells what it does in full.
 */
@Injectable()
export class RediagnosisService implements BeforeApplicationShutdown {
  #stopped = false;
  /** The version that was seen by the look before. */
  #noticed: string | undefined;
  /** The version with which this process has begun, and the one that it need not look at any more. */
  #begun: string | undefined;
  #settled: string | undefined;

  constructor(
    private readonly intake: IntakeRepository,
    private readonly recognisers: RecogniserService,
    private readonly events: StoredEventRepository,
    private readonly rediagnoses: RediagnosisRepository,
    private readonly work: IncidentWork,
  ) {}

  /** Works until all is done, knowledge changes again, or the service stops. Returns at once when there is nothing to do. */
  async run(): Promise<void> {
    const recogniser = this.recognisers.current();
    const { version } = recogniser.knowledge;
    if (version === this.#settled) return;
    // Batches that were recognised by the knowledge before, here or by a replica that reloads a little later, are stored by the next look.
    if (version !== this.#noticed) return void (this.#noticed = version);
    await this.rediagnoses.alone(async () => {
      let state = await this.rediagnoses.state();
      if (state?.version !== version) {
        // Another replica has begun with other knowledge since: its is the newer one.
        if (this.#begun === version) return void (this.#settled = version);
        state = { version, phase: 'events', after: null, afterIncident: null, events: 0, incidents: 0, ended: 0 };
        await this.rediagnoses.note(state);
      }
      this.#begun = version;
      while (state.phase !== 'done' && !this.#stopped && this.recognisers.current() === recogniser) {
        state = state.phase === 'events' ? await this.#lookAtEvents(state, recogniser) : await this.#lookAtIncidents(state, recogniser);
        await this.rediagnoses.note(state);
        if (state.phase !== 'done') await later(PAUSE);
      }
      if (state.phase === 'done') this.#settled = version;
    });
  }

  beforeApplicationShutdown(): void {
    this.#stopped = true;
  }

  async #lookAtEvents(state: Rediagnosis, recogniser: Recogniser): Promise<Rediagnosis> {
    const page = await this.events.page(EVERYTHING, ALL_TIME, PAGE, state.after ?? undefined);
    for (const [clusterId, own] of groupBy(page, (event) => event.clusterId)) {
      const deliveries = own.flatMap((event) => deliveryOf(recogniser, event) ?? []);
      const before = new Map(own.flatMap(({ uid, problemId }): [string, string][] => (problemId === null ? [] : [[uid, problemId]])));
      if (deliveries.length > 0) await this.#apply(clusterId, deliveries, before);
    }
    const last = page.at(-1);
    const events = state.events + page.length;
    if (!last || page.length < PAGE) return { ...state, phase: 'incidents', after: null, events };
    return { ...state, after: { clusterId: last.clusterId, uid: last.uid, day: last.day }, events };
  }

  /** Applies what Events tell now; `before` is the problem that each was stored with. */
  async #apply(clusterId: number, deliveries: readonly Delivery[], before: ReadonlyMap<string, string>): Promise<void> {
    const changed = deliveries.flatMap(({ event: { uid }, sighted }): [string, string][] => {
      const problem = before.get(uid);
      return sighted && problem !== undefined && problem !== sighted.id ? [[uid, problem]] : [];
    });
    try {
      await this.intake.transaction(
        clusterId,
        async (transaction) => {
          const keys = await transaction.findEventKeys(deliveries.map(({ event }) => event.uid));
          // What has grown since it was read has been told by the knowledge of now.
          const still = deliveries.filter(({ event }) => {
            const key = keys.get(event.uid);
            return key?.count === event.count && key.lastAt === event.lastAt;
          });
          const moved = changed.filter(([uid]) => still.some(({ event }) => event.uid === uid));
          if (moved.length > 0) await takeBackSightings(transaction, new Map(moved));
          await applyBatch(transaction, still);
        },
        { heard: false },
      );
    } catch (error) {
      // Removed meanwhile, with everything that there was to do in it.
      if (!(error instanceof ClusterGoneError)) throw error;
    }
  }

  async #lookAtIncidents(state: Rediagnosis, recogniser: Recogniser): Promise<Rediagnosis> {
    const page = await this.rediagnoses.openIncidents(state.afterIncident, PAGE);
    let { ended } = state;
    for (const incident of page) {
      const reason = whyOver(incident, recogniser);
      if (reason !== undefined && (await this.#end(incident.id, reason))) ended++;
    }
    const incidents = state.incidents + page.length;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return { ...state, phase: 'done', after: null, afterIncident: null, incidents, ended };
    return { ...state, afterIncident: last.id, incidents, ended };
  }

  async #end(id: string, reason: string): Promise<boolean> {
    try {
      await this.work.resolve({ id, scope: EVERYTHING, by: BY, expectedVersion: null }, reason);
      return true;
    } catch (error) {
      // It has ended by itself, or gone, since the page was read.
      if (error instanceof IncidentConflictError || error instanceof IncidentUnknownError) return false;
      throw error;
    }
  }
}

/**
 * What an Event tells under the knowledge of now, where that may be news: it shows a problem and is not of an incident of that problem, or it
 * ends something. Undefined otherwise, and for Events that an incident which has ended accounts for: history stays as it was told.
 */
function deliveryOf(recogniser: Recogniser, { event, provider, problemId, incidentOpen }: StoredEvent): Delivery | undefined {
  if (UNLIKE_STORED.has(event.reporter)) return undefined;
  const delivery = recognise(recogniser, event, provider as Provider);
  const shown = delivery.sighted?.id ?? null;
  if (shown !== problemId && shown !== null && (problemId === null || incidentOpen)) return delivery;
  if (delivery.signals.length === 0) return undefined;
  // As an ending only: what it shows is counted already.
  const { event: told, signals } = delivery;
  return shown === problemId ? delivery : { event: told, signals };
}

/** Why an open incident has no ground in the knowledge of now; undefined when it has. */
function whyOver({ problem, provider, events, moved }: OpenIncident, { knowledge, matcher }: Recogniser): string | undefined {
  if (!knowledge.byId.has(problem)) return `The knowledge base has no problem ${problem} any more.`;
  if (events.length === 0) return moved ? `By the knowledge base of now, its events show other problems than ${problem}.` : undefined;
  const shown = events.map(
    ({ kind, ...event }) => matchEvent(matcher, { ...event, object: { kind } }, { provider: provider as Provider })[0]?.problem,
  );
  if (shown.includes(problem)) return undefined;
  const others = [...new Set(shown)].filter((other) => other !== undefined);
  const instead = others.length > 0 ? `they show ${others.slice(0, 3).join(', ')}` : 'they show no problem';
  return `By the knowledge base of now, none of its events shows ${problem}: ${instead}.`;
}
