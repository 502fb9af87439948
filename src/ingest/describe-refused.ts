import { hashText } from '../events/hash-text.js';
import type { MessageMask } from '../platform/message-mask.js';
import type { NewRejected } from '../store/statements/insert-rejected.js';

/** Input that was refused, as it came. */
export interface Refused {
  cluster: string;
  code: string;
  reason: string;
  /** Position of the refused element; null when the whole body was refused. */
  element: number | null;
  /** Format that was asked for, or the Content-Type; empty when neither was said. */
  format: string;
  /** Size of the body as sent. */
  bytes: number;
  address: string;
  userAgent: string;
  /** Whose token it came with: `none`, `unknown`, a user's id such as `admin-token`, or the id of a cluster's token. */
  token: string;
  /** True when nobody knows who sent it: whatever it says of itself may be made up. */
  stranger: boolean;
  /** How many alike ones this stands for. */
  count: number;
  /** Text of its beginning; asked for only when nothing alike is known. */
  sample: () => string;
}

const HOUR = 3_600_000;
/** Longest texts, in characters. */
const LONGEST = { cluster: 100, reason: 500, format: 100, address: 64, userAgent: 200, token: 64 } as const;
/** Longest sample, in bytes of UTF-8. */
const SAMPLE_BYTES = 512;
/** A secret that begins inside the sample is looked for this far, in characters. */
const LOOKED_AT = 4096;
/** Values in a reason differ from one element to the next; what is said about them does not. */
const VALUES = /"(?:[^"\\]|\\.)*"|\d+/g;

/**
 * Key of what is alike: the same reason, sender and shape within an hour. What a stranger can change at will with each request makes no
 * difference. `at` in milliseconds since the epoch.
 */
export function foldOf(refused: Refused, at: number): string {
  const { cluster, code, reason, element, address, token } = refused;
  const { format, userAgent } = refused.stranger ? { format: '', userAgent: '' } : refused;
  const shape = [
    cluster,
    code,
    reason.slice(0, 2 * LONGEST.reason).replace(VALUES, '#'),
    element === null,
    format,
    address,
    userAgent,
    token,
  ];
  return `${Math.floor(at / HOUR)}-${hashText(JSON.stringify(shape))}`;
}

/** Describes refused input for keeping, without what the mask takes out. `at` in milliseconds since the epoch. */
export function describeRefused(refused: Refused, at: number, mask: MessageMask): NewRejected {
  const clean = (text: string, longest: number): string =>
    printable(mask(text.slice(0, LOOKED_AT)))
      .slice(0, longest)
      .toWellFormed();
  return {
    cluster: printable(refused.cluster).slice(0, LONGEST.cluster).toWellFormed(),
    fold: foldOf(refused, at),
    firstAt: at,
    lastAt: at,
    count: refused.count,
    code: refused.code,
    reason: clean(refused.reason, LONGEST.reason),
    element: refused.element,
    format: clean(refused.format, LONGEST.format),
    bytes: Math.min(refused.bytes, 2_147_483_647),
    address: clean(refused.address, LONGEST.address),
    userAgent: clean(refused.userAgent, LONGEST.userAgent),
    token: refused.token.slice(0, LONGEST.token),
    stranger: refused.stranger,
    sample: cutToBytes(clean(refused.sample(), SAMPLE_BYTES), SAMPLE_BYTES),
  };
}

/** Shows what is no text as dots; line ends and tabs are text. PostgreSQL takes no NUL. */
function printable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffd]/g, '.');
}

function cutToBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > most) break;
    end += character.length;
  }
  return text.slice(0, end);
}
