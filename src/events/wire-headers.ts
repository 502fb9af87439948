import type { WireHeaders } from './wire-format.js';

/** CloudEvents name some twenty attributes; a request of hundreds is no honest one. */
const MOST = 64;
const LONGEST = 1024;

/** Picks the headers that say what a body is, so that readers see nothing else of a request, tokens least of all. */
export function wireHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): WireHeaders {
  const picked: [string, string][] = [];
  for (const [key, value] of Object.entries(headers)) {
    const name = key.toLowerCase();
    if (typeof value !== 'string' || (name !== 'content-type' && !name.startsWith('ce-'))) continue;
    if (picked.length < MOST) picked.push([name, value.slice(0, LONGEST)]);
  }
  return Object.fromEntries(picked);
}
