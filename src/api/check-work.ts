import { RequestError } from '../platform/refusal.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Longest texts that people say of an incident, in characters. */
export const LONGEST_SAID = { comment: 4000, reason: 1000, assignee: 200 } as const;
/** Most incidents that one call changes. */
export const MOST_AT_ONCE = 100;

/** Checks the id of something stored. Throws RequestError NOT_FOUND for a text that can be no id. */
export function checkId(what: string, id: string): string {
  if (UUID.test(id)) return id.toLowerCase();
  throw new RequestError('NOT_FOUND', `There is no ${what} ${JSON.stringify(id.slice(0, 100))}.`);
}

/** Checks ids of a change of several. Throws RequestError BAD_INPUT. */
export function checkIds(ids: readonly string[]): string[] {
  if (ids.length >= 1 && ids.length <= MOST_AT_ONCE) return [...new Set(ids)];
  throw new RequestError('BAD_INPUT', `ids: expected 1 to ${MOST_AT_ONCE} ids, got ${ids.length}.`);
}

/** Checks a text that has to be there. Throws RequestError BAD_INPUT that names the field. */
export function checkSaid(field: string, text: unknown, most: number): string {
  const said = typeof text === 'string' ? text.trim() : '';
  if (said.length >= 1 && said.length <= most && !said.includes('\0') && said.isWellFormed()) return said;
  const got = typeof text !== 'string' ? typeof text : `${said.length} characters`;
  throw new RequestError('BAD_INPUT', `${field}: expected 1 to ${most} characters of text without NUL, got ${got}.`);
}

/** Checks a text that may be left out; an empty one is null. Throws RequestError BAD_INPUT that names the field. */
export function checkMaySay(field: string, text: unknown, most: number): string | null {
  return text === undefined || text === null || text === '' ? null : checkSaid(field, text, most);
}

/** Checks the version that a caller expects; none is null. Throws RequestError BAD_INPUT. */
export function checkVersion(version: unknown): number | null {
  if (version === undefined || version === null) return null;
  if (Number.isInteger(version) && (version as number) >= 1 && (version as number) <= 2_147_483_647) return version as number;
  throw new RequestError('BAD_INPUT', `expectedVersion: expected a whole number from 1, got ${JSON.stringify(version)?.slice(0, 40)}.`);
}
