import type { ClusterHealth, Gap } from '../../pipeline/cluster-health.service.js';
import type { Locale } from '../choose-locale.js';
import { presentHealth } from '../present-health.js';

/** Health of a cluster in JSON: times as texts. */
export function showHealth(health: ClusterHealth, locale: Locale) {
  const { lastHeardAt, silentAt, ...rest } = presentHealth(health, locale);
  return { ...rest, lastHeardAt: timeOrNull(lastHeardAt), silentAt: timeOrNull(silentAt) };
}

/** A gap in JSON. */
export function showGap({ from, until, reason }: Gap) {
  return { from: timeOrNull(from), until: timeOrNull(until), reason };
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
