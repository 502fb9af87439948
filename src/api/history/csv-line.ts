/** What a spreadsheet takes for the beginning of a formula, in the common widths. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;
const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Makes one line of RFC 4180, its CR LF included. Null is an empty field. A text that a spreadsheet would run as a formula
 * gets an apostrophe in front, which keeps it a text.
 */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return `${fields.map(fieldOf).join(',')}\r\n`;
}

function fieldOf(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
