import type { ClusterHealth, Gap } from '../../pipeline/cluster-health.service.js';
import { presentHealth } from '../present-health.js';

/** Health of a cluster in JSON: times as texts. */
export function showHealth(health: ClusterHealth) {
  const { lastHeardAt, silentAt, ...rest } = presentHealth(health);
  return { ...rest, lastHeardAt: timeOrNull(lastHeardAt), silentAt: timeOrNull(silentAt) };
}

/** A gap in JSON. */
export function showGap({ from, until, reason }: Gap) {
  return { from: timeOrNull(from), until: timeOrNull(until), reason };
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
