/** What one query may ask for. The biggest page of everything that makes sense stays below each. */
export const LIMITS = {
  /** Nesting of fields. */
  depth: 10,
  /** Fields under another name. */
  aliases: 30,
  directives: 30,
  /** Words and signs of the query's text. */
  tokens: 2000,
  /** Objects that the query is reckoned to return, before it is run. */
  cost: 50_000,
  /** Objects and computed fields that the answer may hold: all histories together have half as many points. */
  values: 100_000,
  /** Entities that a router may ask for at once. */
  representations: 1000,
  /** Largest body in bytes. */
  bodyBytes: 2 * 1024 * 1024,
} as const;
