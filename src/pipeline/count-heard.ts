import type { Delivery } from '../incidents/delivery.js';
import { countLags } from '../incidents/lag.js';
import type { IntakeTransaction } from '../store/intake.repository.js';

/** Notes for a cluster's health what a batch held, and how late its news came. `accepted` is parallel to the deliveries. */
export async function countHeard(
  transaction: IntakeTransaction,
  deliveries: readonly Delivery[],
  accepted: readonly boolean[],
): Promise<void> {
  const { now, heardBefore, silentSince } = transaction;
  // What is only repeated came in time once, and what names no time says nothing of it.
  const news = deliveries.filter(({ event }, i) => accepted[i] && event.timed).map(({ event }) => event.lastAt);
  await transaction.countMinute({
    at: now,
    heardBefore,
    silent: silentSince !== null,
    events: accepted.filter(Boolean).length,
    received: deliveries.length,
    lag: countLags(news, now),
  });
}
