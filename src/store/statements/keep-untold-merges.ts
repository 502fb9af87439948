import type { Connection } from '../rows.js';
import { rows } from '../rows.js';

/**
 * Moves the last changes of merged incidents from before `cutoff` to `today` (ISO days), so that they are not dropped: whoever was told
 * of the failure through a webhook that is switched off for so long has still to be told of its end, and nothing else knows what it was. They keep
 * their position among what is dropped: nobody reads them as news.
 */
export async function keepUntoldMerges(connection: Connection, cutoff: string, today: string): Promise<void> {
  await rows(
    connection,
    `UPDATE incident_change c SET at = ($2 || ' 00:00:00+00')::timestamptz
     WHERE c.gone IS NOT NULL AND c.at < ($1 || ' 00:00:00+00')::timestamptz
       AND EXISTS (SELECT FROM webhook_told t WHERE t.incident_id = c.incident_id AND t.state = 'told')`,
    cutoff,
    today,
  );
}
