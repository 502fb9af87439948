import { RequestError } from '../../platform/refusal.js';
import { checkText } from '../page.js';
import { parseTime, TIME_FORM } from '../parse-time.js';
import type { Query } from './read-query.js';

const MOST_CHARACTERS = 50_000;

/** A parameter of several values, separated by commas or given repeatedly; undefined when absent. Throws RequestError BAD_INPUT. */
export function listOf(query: Query, name: string): string[] | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  const text = checkText(name, Array.isArray(value) ? value.join(',') : value, MOST_CHARACTERS);
  return text.split(',').map((part) => part.trim());
}

/** A parameter of several of the known words; letter case does not matter, nor `_` for `-`. Throws RequestError BAD_INPUT that names them. */
export function someOf<T extends string>(query: Query, name: string, known: readonly T[]): T[] | undefined {
  return listOf(query, name)?.map((value) => wordOf(name, value, known));
}

/** A parameter that is one of the known words. Throws RequestError BAD_INPUT that names them. */
export function oneOf<T extends string>(query: Query, name: string, known: readonly T[]): T | undefined {
  const values = listOf(query, name);
  if (values === undefined) return undefined;
  if (values.length > 1) throw new RequestError('BAD_INPUT', `${name} is given more than once.`);
  return wordOf(name, values[0]!, known);
}

/** A parameter that is a time, as milliseconds since the epoch. Throws RequestError BAD_INPUT. */
export function timeOf(query: Query, name: string): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  const time = parseTime(value);
  if (Number.isNaN(time)) throw new RequestError('BAD_INPUT', `${name} has to be ${TIME_FORM}; "+" is written %2B.`);
  return time;
}

function wordOf<T extends string>(name: string, value: string, known: readonly T[]): T {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, '');
  const found = known.find((word) => plain(word) === plain(value));
  if (found !== undefined) return found;
  throw new RequestError('BAD_INPUT', `${name} has to be of ${known.join(', ')}; got ${JSON.stringify(value.slice(0, 100))}.`);
}
