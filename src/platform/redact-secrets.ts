import { SECRET_RULES } from './secret-rules.js';

/** Fields whose whole value is a secret, at the top of a log record and one level below. */
export const SECRET_FIELDS = ['authorization', 'cookie', 'token', 'adminToken', 'password', 'databaseUrl', 'DATABASE_URL'];

/**
 * Takes secrets out of a text, wherever they stand in it: private keys, passwords of addresses, bearer and basic credentials, JSON
 * Web Tokens, well-known forms of keys, and the values of fields and parameters whose name says so. What cannot be told from other
 * text by its form or name stays. Takes time in proportion to the text; doing it again changes nothing.
 */
export function redactSecrets(text: string): string {
  let left = text;
  let asked: RegExp | undefined;
  let found = false;
  for (const { trigger, pattern, mask } of SECRET_RULES) {
    // Neighbours share a trigger, and most texts have none: asking is nearly all that this costs.
    if (trigger !== asked) found = trigger.test(left);
    asked = trigger;
    if (found) left = left.replace(pattern, mask as string);
  }
  return left;
}
