import { z } from 'zod';

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const LEAST = 60_000;
const MOST = 30 * UNITS.d;

/** What a text that says when a cluster counts as silent may be. */
export const SILENCE_AFTER_FORM = 'auto, off, or a duration from 1m to 30d such as 90s, 15m or 6h';

/** Reads when a cluster counts as silent: milliseconds, 0 for `off`, or `auto`; undefined when it is none of these. */
export function parseSilenceAfter(text: string): number | 'auto' | undefined {
  if (text === 'auto') return 'auto';
  if (text === 'off') return 0;
  const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  const length = Number(count) * UNITS[unit as keyof typeof UNITS];
  return length >= LEAST && length <= MOST ? length : undefined;
}

/** The variable that says it. */
export function silenceAfter() {
  return z.string().transform((value, context) => {
    const read = parseSilenceAfter(value);
    if (read !== undefined) return read;
    context.addIssue({ code: 'custom', message: `expected ${SILENCE_AFTER_FORM}, got ${JSON.stringify(value.slice(0, 40))}` });
    return z.NEVER;
  });
}
