import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import { parseTime, TIME_FORM } from '../parse-time.js';

/** A time as `DateTime`; inside it is milliseconds since the epoch. */
export const DateTime = new GraphQLScalarType<number, string>({
  name: 'DateTime',
  description: 'A moment in RFC 3339 form with a time zone, such as 2026-11-20T08:30:00Z.',
  serialize: (value) => isoTime(value instanceof Date ? value.getTime() : Number(value)),
  parseValue: (value) => readTime(value),
  parseLiteral: (node) => readTime(node.kind === Kind.STRING ? node.value : undefined),
});

const MOST_KEPT = 4096;
const isoTimes = new Map<number, string>();

/** The edges of buckets are the same for every group of an answer, and writing them is a good part of making it. */
function isoTime(at: number): string {
  const known = isoTimes.get(at);
  if (known !== undefined) return known;
  const text = new Date(at).toISOString();
  if (isoTimes.size >= MOST_KEPT) isoTimes.clear();
  isoTimes.set(at, text);
  return text;
}

/** Any JSON value as `JSON`. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

function readTime(value: unknown): number {
  const time = parseTime(value);
  if (Number.isNaN(time)) throw new TypeError(`expected ${TIME_FORM}`);
  return time;
}
