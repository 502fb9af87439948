import { RequestError } from '../../platform/refusal.js';
import { checkVersion } from '../check-work.js';
import { readJson } from '../read-json.js';

/** What a request says of a change of an incident. */
export interface SaidWork {
  fields: Readonly<Record<string, unknown>>;
  /** The version that the caller has seen; null when they do not say. */
  expectedVersion: number | null;
}

const ETAG = /^(?:W\/)?"(\d{1,10})"$/;

/**
 * Reads a change of an incident: a JSON object with some of `known` and `expectedVersion`, or no body at all, and the version as the
 * If-Match header. Throws RequestError BAD_INPUT.
 */
export function readWork(body: unknown, ifMatch: string | undefined, known: readonly string[]): SaidWork {
  const { expectedVersion, ...fields } = (body instanceof Uint8Array && body.length > 0 ? readJson(body) : {}) as Record<string, unknown>;
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const names = [...known, 'expectedVersion'].join(', ');
    throw new RequestError('BAD_INPUT', `${JSON.stringify(unknown.slice(0, 40))} is no field of this; there are ${names}.`);
  }
  const [said, matched] = [checkVersion(expectedVersion), versionOf(ifMatch)];
  if (said !== null && matched !== null && said !== matched)
    throw new RequestError('BAD_INPUT', `expectedVersion is ${said} and If-Match is ${matched}; say one of them.`);
  return { fields, expectedVersion: said ?? matched };
}

function versionOf(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  const version = ETAG.exec(ifMatch.trim())?.[1];
  if (version !== undefined) return checkVersion(Number(version));
  throw new RequestError(
    'BAD_INPUT',
    `If-Match: expected one version as ETag gives it, such as "7", got ${JSON.stringify(ifMatch.slice(0, 40))}.`,
  );
}
