import type { ClusterHealth } from '../pipeline/cluster-health.service.js';
import type { Locale } from './choose-locale.js';

/** Health of a cluster as both APIs show it; lengths are in seconds. */
export interface ShownHealth extends Pick<
  ClusterHealth,
  'status' | 'lastHeardAt' | 'silentAt' | 'windowMinutes' | 'eventsPerMinute' | 'receivedPerMinute' | 'watched'
> {
  reason: string;
  lagMedianSeconds: number | null;
  lag95Seconds: number | null;
  usualPauseSeconds: number | null;
  silenceAfter: string | null;
}

/** Health of a cluster in the form of the APIs. */
export function presentHealth(health: ClusterHealth, locale: Locale): ShownHealth {
  const { status, reason, lastHeardAt, silentAt, windowMinutes, watched, usualPause, silenceAfter } = health;
  return {
    status,
    reason: reason[locale],
    lastHeardAt,
    silentAt,
    windowMinutes,
    watched,
    eventsPerMinute: rounded(health.eventsPerMinute),
    receivedPerMinute: rounded(health.receivedPerMinute),
    lagMedianSeconds: health.lagMedian,
    lag95Seconds: health.lag95,
    usualPauseSeconds: usualPause === null ? null : Math.round(usualPause / 1000),
    silenceAfter: silenceAfter === null ? null : shownSetting(silenceAfter),
  };
}

function rounded(rate: number): number {
  return Math.round(rate * 100) / 100;
}

function shownSetting(silenceAfter: number | 'auto'): string {
  if (silenceAfter === 'auto') return 'auto';
  return silenceAfter === 0 ? 'off' : `${Math.round(silenceAfter / 1000)}s`;
}
