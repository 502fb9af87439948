import { nearestName } from '../../config/nearest-name.js';
import { RequestError } from '../../platform/refusal.js';

/** A zone of the IANA time zone database. */
export interface TimeZone {
  /** Name as it was asked for, such as Europe/Berlin. */
  name: string;
  /** How far its clocks are ahead of UTC at a moment, milliseconds; negative when behind. */
  offsetAt(at: number): number;
}

const MINUTE = 60_000;
const zones = new Map<string, TimeZone>();
/** Each holds a clock and up to 5000 offsets, a few hundred kilobytes. */
const MOST_KEPT = 100;

/**
 * Finds a time zone by its name; letter case does not matter.
 *
 * @throws RequestError BAD_INPUT when it is not in the IANA time zone database: an offset such as +02:00 is no zone
 */
export function timeZoneOf(name: string): TimeZone {
  const known = zones.get(name);
  if (known) return known;
  const clock = clockOf(name);
  if (!clock) {
    const nearest = nearestName(name.slice(0, 64), Intl.supportedValuesOf('timeZone'));
    throw new RequestError(
      'BAD_INPUT',
      `timeZone ${JSON.stringify(name.slice(0, 64))} is not in the IANA time zone database; did you mean ${nearest}? UTC is the default.`,
    );
  }
  const zone = { name, offsetAt: offsetsOf(clock) };
  // Letter case makes many names of one zone.
  if (zones.size >= MOST_KEPT) zones.clear();
  zones.set(name, zone);
  return zone;
}

function clockOf(name: string): Intl.DateTimeFormat | undefined {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Reads the wall clock by the minute, in which all offsets of today are whole, and remembers what it read by the quarter of an hour. */
function offsetsOf(clock: Intl.DateTimeFormat): (at: number) => number {
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / (15 * MINUTE));
    const remembered = known.get(quarter);
    if (remembered !== undefined) return remembered;
    const moment = quarter * 15 * MINUTE;
    const part = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
    const wall = Date.UTC(
      part.get('year')!,
      part.get('month')! - 1,
      part.get('day')!,
      part.get('hour')!,
      part.get('minute')!,
      part.get('second')!,
    );
    const offset = Math.round((wall - moment) / MINUTE) * MINUTE;
    if (known.size >= 5000) known.clear();
    known.set(quarter, offset);
    return offset;
  };
}
