const SHOWN_CHARACTERS = 60;

/** Says in a few words what a JSON value is, for a reason that a sender reads; never walks into it. */
export function showValue(value: unknown): string {
  if (typeof value === 'string') return showText(value);
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'an object';
}

/** Quotes the first 60 characters of a text, with control characters escaped. */
export function showText(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(shown.toWellFormed());
}
