import type { z } from 'zod';
import { parsedText } from './parsed-text.js';

/** How webhooks are sent. */
export interface WebhookConfig {
  /** `CASEBOOK_WEBHOOK_ALLOW`: networks in CIDR form and hosts (`*.` for all below one) that may be told although they are not public, separated by commas. Default: none. */
  allow: { networks: readonly string[]; hosts: readonly string[] };
  /** `CASEBOOK_WEBHOOK_TIMEOUT_MS`: for one attempt, 100 to 60,000 milliseconds. Default 10,000. */
  timeout: number;
  /** `CASEBOOK_WEBHOOK_ATTEMPTS`: most attempts before a message is given up, 1 to 50. Default 16. */
  attempts: number;
  /** `CASEBOOK_WEBHOOK_RETRY_MS`: pause after the first attempt, doubled with each, 10 to 600,000 milliseconds. Default 5,000. */
  retry: number;
  /** `CASEBOOK_WEBHOOK_DAYS`: days that messages are kept after they were delivered or given up, 1 to 90. Default 7. */
  days: number;
}

const V4 = /^(\d{1,3}\.){3}\d{1,3}(\/\d{1,2})?$/;
const V6 = /^[0-9a-f:]*:[0-9a-f:.]*(\/\d{1,3})?$/i;
const HOST = /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** The last part of a name is no number: 10.0.0 is a wrong address, and no host. */
const NAMED = /[a-z][a-z0-9-]*$/i;
const MOST = 100;

/** Reads networks and hosts that commas separate. Returns what is wrong, as a text, when one cannot be read. */
export function parseAllowedTargets(value: string): WebhookConfig['allow'] | string {
  const parts = value.split(',').flatMap((part) => part.trim() || []);
  if (parts.length > MOST) return `expected at most ${MOST} networks and hosts, got ${parts.length}`;
  const networks: string[] = [];
  const hosts: string[] = [];
  for (const part of parts) {
    const isV4 = V4.test(part);
    if (isV4 || V6.test(part)) {
      const [address, bits] = part.split('/') as [string, string?];
      const most = isV4 ? 32 : 128;
      const host = isV4 ? address : `[${address}]`;
      if (!URL.canParse(`http://${host}/`) || (isV4 && new URL(`http://${host}/`).hostname !== address) || Number(bits ?? most) > most)
        return `${JSON.stringify(part)} is no network such as 10.0.0.0/8 or fd00::/8`;
      networks.push(`${address}/${bits ?? most}`);
    } else if (HOST.test(part) && NAMED.test(part)) hosts.push(part.toLowerCase());
    else
      return `${JSON.stringify(part.slice(0, 60))} is neither a network such as 10.0.0.0/8 nor a host such as hooks.example.com or *.example.com`;
  }
  return { networks, hosts };
}

/** The variables of webhooks; `integer` makes one that is a whole number. */
export function webhookVariables<T extends z.ZodType<number>>(integer: (least: number, most: number) => T) {
  return {
    CASEBOOK_WEBHOOK_ALLOW: parsedText(parseAllowedTargets).optional(),
    CASEBOOK_WEBHOOK_TIMEOUT_MS: integer(100, 60_000).optional(),
    CASEBOOK_WEBHOOK_ATTEMPTS: integer(1, 50).optional(),
    CASEBOOK_WEBHOOK_RETRY_MS: integer(10, 600_000).optional(),
    CASEBOOK_WEBHOOK_DAYS: integer(1, 90).optional(),
  };
}

/** The settings of webhooks, with what is not set by default. */
export function webhookConfig(value: {
  CASEBOOK_WEBHOOK_ALLOW?: WebhookConfig['allow'] | undefined;
  CASEBOOK_WEBHOOK_TIMEOUT_MS?: number | undefined;
  CASEBOOK_WEBHOOK_ATTEMPTS?: number | undefined;
  CASEBOOK_WEBHOOK_RETRY_MS?: number | undefined;
  CASEBOOK_WEBHOOK_DAYS?: number | undefined;
}): WebhookConfig {
  return {
    allow: value.CASEBOOK_WEBHOOK_ALLOW ?? { networks: [], hosts: [] },
    timeout: value.CASEBOOK_WEBHOOK_TIMEOUT_MS ?? 10_000,
    attempts: value.CASEBOOK_WEBHOOK_ATTEMPTS ?? 16,
    retry: value.CASEBOOK_WEBHOOK_RETRY_MS ?? 5_000,
    days: value.CASEBOOK_WEBHOOK_DAYS ?? 7,
  };
}
