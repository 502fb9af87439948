import type { Database } from '../database.service.js';
import type { ClaimedDelivery, Outcome } from '../webhook.js';

/** Writes down what came of an attempt; false when another sender has taken the message since. */
export async function finishDelivery(
  database: Pick<Database, 'rows'>,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  { status, pause, answerCode, answer, error }: Outcome,
): Promise<boolean> {
  const found = await database.rows(
    `UPDATE webhook_delivery SET status = $3, next_at = clock_timestamp() + $4 * interval '1 ms',
       done_at = CASE WHEN $3 <> 'pending' THEN clock_timestamp() END, answer_code = $5, answer = $6, error = $7
     WHERE id = $1 AND attempts = $2 AND status = 'pending' RETURNING 1`,
    id,
    attempts,
    status,
    pause ?? 0,
    answerCode,
    answer,
    error,
  );
  return found.length > 0;
}
