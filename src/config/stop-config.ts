import type { z } from 'zod';

/** How the service stops. */
export interface StopConfig {
  /**
   * `CASEBOOK_STOP_DELAY_MS`: how long requests are still taken after the signal, while `/readyz` says 503, so that whoever spreads
   * them has heard of it; 0 to 300,000 milliseconds. Default 0.
   */
  delay: number;
  /** `CASEBOOK_STOP_TIMEOUT_MS`: how long requests that were begun may take after that, 100 to 300,000 milliseconds. Default 10,000. */
  timeout: number;
}

/** The variables of stopping; `integer` makes one that is a whole number. */
export function stopVariables<T extends z.ZodType<number>>(integer: (least: number, most: number) => T) {
  return { CASEBOOK_STOP_DELAY_MS: integer(0, 300_000).optional(), CASEBOOK_STOP_TIMEOUT_MS: integer(100, 300_000).optional() };
}

/** The settings of stopping, with what is not set by default. */
export function stopConfig(value: {
  CASEBOOK_STOP_DELAY_MS?: number | undefined;
  CASEBOOK_STOP_TIMEOUT_MS?: number | undefined;
}): StopConfig {
  return { delay: value.CASEBOOK_STOP_DELAY_MS ?? 0, timeout: value.CASEBOOK_STOP_TIMEOUT_MS ?? 10_000 };
}
