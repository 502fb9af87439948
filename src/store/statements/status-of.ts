/**
 * Status, as SQL, of an incident whose latest episode is `l`. An acknowledgement (a timestamp as SQL) counts in the episode in
 * which it lies; whoever takes up a failure does not take up the next one.
 */
export function statusOf(acknowledgedAt: string): string {
  return `CASE WHEN l.ended_at IS NOT NULL THEN 'resolved' WHEN ${acknowledgedAt} >= l.started_at THEN 'acknowledged' ELSE 'open' END`;
}
