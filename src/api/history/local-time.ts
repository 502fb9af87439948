import type { TimeZone } from './time-zone.js';

/** A moment by the clocks of a zone, with their offset, such as 2026-03-29T00:00:00+01:00. */
export function localTime(zone: TimeZone, at: number): string {
  const offset = zone.offsetAt(at) / 60_000;
  const wall = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  const two = (value: number): string => String(value).padStart(2, '0');
  if (offset === 0) return `${wall}Z`;
  return `${wall}${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
}
