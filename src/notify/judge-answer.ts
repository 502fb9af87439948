import type { Preset } from '../store/webhook.js';

/** An answer of a receiver, as far as it was read. */
export interface ReceivedAnswer {
  status: number;
  /** Beginning of the body. */
  body: string;
}

/** What an answer means: the message has arrived, it may if it is sent again, or it never will. */
export interface Verdict {
  result: 'delivered' | 'retry' | 'dead';
  /** Null for `delivered`. */
  error: string | null;
}

/** Chat services answer 200 and tell in the body what became of the message, by a number that is 0 for success. */
const CODE_FIELDS: Partial<Record<Preset, { fields: readonly string[]; again: readonly number[] }>> = {
  // too often, and busy
  wecom: { fields: ['errcode'], again: [-1, 45009, 45033] },
  dingtalk: { fields: ['errcode'], again: [-1, 130101, 410100] },
  feishu: { fields: ['code', 'StatusCode'], again: [11232, 9499001] },
};

/** Failures of the request that another attempt may not meet: too slow, too early, too often. */
const AGAIN = new Set([408, 425, 429]);

/** Tells what became of a message by its answer. */
export function judgeAnswer(preset: Preset, { status, body }: ReceivedAnswer): Verdict {
  if (status >= 200 && status < 300) return judgeBody(preset, body);
  if (status >= 300 && status < 400) return { result: 'dead', error: `it was answered ${status}, and redirects are not followed` };
  if (status >= 400 && status < 500 && !AGAIN.has(status))
    return { result: 'dead', error: `it was answered ${status}: the receiver refuses it` };
  return { result: 'retry', error: `it was answered ${status}` };
}

function judgeBody(preset: Preset, body: string): Verdict {
  const told = CODE_FIELDS[preset];
  const code = told && codeIn(body, told.fields);
  if (!told || code === 0) return { result: 'delivered', error: null };
  // Cut off, or of a proxy in between.
  if (code === undefined) return { result: 'retry', error: 'the answer holds no code that says what became of it' };
  return { result: told.again.includes(code) ? 'retry' : 'dead', error: `it was answered with the code ${code}` };
}

function codeIn(body: string, fields: readonly string[]): number | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const code = fields.map((field) => (value as Record<string, unknown>)[field]).find((each) => typeof each === 'number');
  return code as number | undefined;
}
