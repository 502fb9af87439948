import { affectedKey } from '../incidents/affected.js';
import { settleQuiet } from '../incidents/timeline.js';
import type { IntakeTransaction } from '../store/intake.repository.js';
import { writeChanges } from './write-changes.js';

/** Ends what silence has ended by `now`, at most `limit` objects of the cluster. Returns how many it ended. */
export async function resolveQuiet(transaction: IntakeTransaction, limit: number, now: number = transaction.now): Promise<number> {
  const due = await transaction.findQuiet(now, limit);
  await writeChanges(
    transaction,
    due.map((before) => {
      const current = settleQuiet([before.current], before.ending, now)[0]!;
      const followed = { current, past: [], replacesFrom: null, changedFrom: current.startedAt };
      return {
        key: affectedKey(before),
        before,
        seen: undefined,
        marks: undefined,
        followed,
        after: { ...before, current },
        newObject: false,
      };
    }),
  );
  return due.length;
}
