import type { RE2JS } from 're2js';
import { redactSecrets } from './redact-secrets.js';

/** Takes out of a text what must not be stored. Doing it again changes nothing. */
export type MessageMask = (text: string) => string;

/** Injection token of the `MessageMask`. */
export const MESSAGE_MASK = Symbol('MessageMask');

/** What is masked besides secrets. */
export interface MaskOptions {
  /** Whether e-mail addresses are masked. */
  emails: boolean;
  /** The user's own patterns: of one with a group the first group is masked, else all of it. */
  patterns: readonly RE2JS[];
}

const MASK = '***';
/** The user of an SSH address and accounts of machines are nobody's mailbox; what ends in digits is a version or a digest. */
const EMAIL =
  /(?<![\w.+%-])(?!git@)[\w+%-][\w.+%-]{0,63}@(?![\w.-]{0,200}\.gserviceaccount\.com)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.){1,8}[a-z]{2,24}(?![\w@-])/gi;

/** Makes the mask that every message goes through before it is stored: secrets always, e-mail addresses and own patterns if told to. */
export function createMessageMask({ emails, patterns }: MaskOptions): MessageMask {
  return (text) => {
    let left = redactSecrets(text);
    if (emails && left.includes('@')) left = left.replace(EMAIL, `${MASK}@${MASK}`);
    for (const pattern of patterns) left = maskPattern(left, pattern);
    return left;
  };
}

function maskPattern(text: string, pattern: RE2JS): string {
  const matcher = pattern.matcher(text);
  const group = pattern.groupCount() > 0 ? 1 : 0;
  let left = '';
  let from = 0;
  while (matcher.find()) {
    const [start, end] = [matcher.start(group), matcher.end(group)];
    if (start < from || end <= start) continue;
    left += text.slice(from, start) + MASK;
    from = end;
  }
  return from === 0 ? text : left + text.slice(from);
}
