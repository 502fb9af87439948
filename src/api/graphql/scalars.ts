import { GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';

/** A time as `DateTime`; inside it is milliseconds since the epoch. */
export const DateTime = new GraphQLScalarType<number, string>({
  name: 'DateTime',
  description: 'A moment in RFC 3339 form with a time zone, such as 2026-11-20T08:30:00Z.',
  serialize: (value) => new Date(value instanceof Date ? value : Number(value)).toISOString(),
  parseValue: (value) => parseTime(value),
  parseLiteral: (node) => parseTime(node.kind === Kind.STRING ? node.value : undefined),
});

/** Any JSON value as `JSON`. */
export const Json = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

function parseTime(value: unknown): number {
  const time = typeof value === 'string' && RFC3339.test(value) ? Date.parse(value) : NaN;
  if (Number.isNaN(time)) throw new TypeError('expected a time in RFC 3339 form with a time zone, such as 2026-11-20T08:30:00Z');
  return time;
}
