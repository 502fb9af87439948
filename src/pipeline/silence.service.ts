import { Injectable } from '@nestjs/common';
import { inWords } from '../incidents/in-words.js';
import type { Judgement } from '../incidents/judge-cluster.js';
import { Provider } from '../knowledge/problem-file.js';
import { EVERYTHING } from '../platform/scope.js';
import { HealthRepository } from '../store/health.repository.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import { IntakeRepository } from '../store/intake.repository.js';
import type { ClusterSigns } from '../store/queries/find-cluster-signs.js';
import { applyBatch } from './apply-batch.js';
import { ClusterHealthService } from './cluster-health.service.js';
import { recognise } from './recognise.js';
import { RecogniserService } from './recogniser.service.js';
import type { SilenceWord } from './silence-event.js';
import { silenceEvent } from './silence-event.js';

/** What a run did, in clusters. */
export interface SilenceResult {
  raised: number;
  ended: number;
}

/**
 * Raises an incident where a cluster has fallen silent, and ends it when the cluster is heard again. What is raised is noted in
 * the cluster's row under its lock, so that any number of replicas may run this and a restart forgets nothing.
 */
@Injectable()
export class SilenceService {
  constructor(
    private readonly health: HealthRepository,
    private readonly judges: ClusterHealthService,
    private readonly intake: IntakeRepository,
    private readonly recognisers: RecogniserService,
  ) {}

  /** Looks at every cluster once, by the database's clock or at `now` (milliseconds since the epoch). */
  async run(now: number | null = null): Promise<SilenceResult> {
    const span = await this.health.keepSpan(now);
    const result: SilenceResult = { raised: 0, ended: 0 };
    const failures: unknown[] = [];
    for (const signs of await this.health.signs(EVERYTHING, { quiet: true }, span.now)) {
      const judgement = this.judges.judge(signs, span.since, span.now);
      try {
        if (signs.silentSince === null && judgement.status === 'SILENT') {
          if (await this.#raise(signs, judgement, span.now)) result.raised++;
        } else if (signs.silentSince !== null && judgement.status !== 'SILENT' && (await this.#end(signs, judgement, span.now)))
          result.ended++;
      } catch (error) {
        // One cluster's trouble is not another's.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return result;
  }

  #raise(signs: ClusterSigns, { silentAt, reason }: Judgement, now: number): Promise<boolean> {
    return this.#inCluster(signs, async (transaction) => {
      // It was heard while we looked at it, or another replica was first.
      if (transaction.silentSince !== null || transaction.heardBefore !== signs.lastHeardAt) return false;
      const since = signs.lastHeardAt ?? signs.watch?.aliveAt ?? now;
      // After the end of the one before, which may be of the same silence: it was switched off, and on again.
      const at = Math.round(Math.max(Math.min(silentAt ?? now, now), (transaction.silenceChangedAt ?? 0) + 1));
      const message = `Cluster ${signs.name} has fallen silent. ${reason.en} Last heard at ${new Date(since).toISOString()}.`;
      await this.#tell(transaction, signs, { cluster: signs.name, reason: 'ClusterSilent', message, at }, now);
      await transaction.markSilence({ since, at });
      return true;
    });
  }

  #end(signs: ClusterSigns, { status, reason }: Judgement, now: number): Promise<boolean> {
    return this.#inCluster(signs, async (transaction) => {
      const { silentSince: since, silenceChangedAt, heardBefore } = transaction;
      if (since === null) return false;
      const heard = heardBefore !== null && heardBefore > since;
      const again = heard ? ((await transaction.heardAfter(since)) ?? heardBefore) : now;
      // Not before the silence was raised, or the two would be taken in the wrong order.
      const at = Math.round(Math.max(again, (silenceChangedAt ?? 0) + 1));
      const expected = heard || (status !== 'SUSPENDED' && signs.watch !== null);
      const message = expected
        ? `Cluster ${signs.name} is heard again after ${inWords(at - since)}.`
        : `Cluster ${signs.name} is not expected to be heard any more. ${reason.en}`;
      await this.#tell(
        transaction,
        signs,
        { cluster: signs.name, reason: expected ? 'ClusterHeard' : 'ClusterNotExpected', message, at },
        now,
      );
      await transaction.markSilence({ since: null, at });
      return true;
    });
  }

  #inCluster(signs: ClusterSigns, work: (transaction: IntakeTransaction) => Promise<boolean>): Promise<boolean> {
    return this.intake.transaction(signs.id, work, { heard: false });
  }

  async #tell(transaction: IntakeTransaction, signs: ClusterSigns, word: SilenceWord, now: number): Promise<void> {
    const recogniser = this.recognisers.current();
    const delivery = recognise(recogniser, silenceEvent(word), Provider.parse(signs.provider));
    await applyBatch(transaction, [delivery], now);
  }
}
