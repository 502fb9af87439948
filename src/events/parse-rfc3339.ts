const ZERO = 48;
const DAY_MS = 86_400_000;
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Reads an RFC 3339 time with any offset and up to nine fraction digits as milliseconds since the epoch (the digits
 * behind the milliseconds are cut), or gives NaN. `Date.parse` is not used: it takes far more than RFC 3339, reads
 * some of it in the machine's own time zone, and lets 30 February roll over.
 */
export function parseRfc3339(text: string): number {
  if (text.length < 20 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return NaN;
  if ((text.charCodeAt(10) | 32) !== 116 || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return NaN;
  const date = dateOf(text);
  const time = timeOf(text, 11);
  const fractionDigits = text.charCodeAt(19) === 46 ? countDigits(text, 20) : -1;
  if (fractionDigits === 0 || fractionDigits > 9) return NaN;
  const milliseconds = fractionDigits > 0 ? digits(text.slice(20, 20 + fractionDigits).padEnd(3, '0'), 0, 3) : 0;
  return date + time + milliseconds - offsetOf(text, 20 + fractionDigits);
}

function dateOf(text: string): number {
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const days = MONTH_DAYS[month - 1];
  if (days === undefined || !(day >= 1 && day <= days)) return NaN;
  if (month === 2 && day === 29 && (year % 4 !== 0 || (year % 100 === 0 && year % 400 !== 0))) return NaN;
  return daysSinceEpoch(year, month, day) * DAY_MS;
}

/** Days of the proleptic Gregorian calendar; the year is counted from March, so that the leap day comes last. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
}

/** Time of day in milliseconds; second 60 is a leap second and counts as the next minute's first. */
function timeOf(text: string, at: number): number {
  const hour = digits(text, at, 2);
  const minute = digits(text, at + 3, 2);
  const second = digits(text, at + 6, 2);
  if (!(hour <= 23 && minute <= 59 && second <= 60)) return NaN;
  return (hour * 3600 + minute * 60 + second) * 1000;
}

/** Offset from UTC in milliseconds; it has to be the end of the text. */
function offsetOf(text: string, at: number): number {
  const sign = text.charCodeAt(at);
  if ((sign | 32) === 122) return text.length === at + 1 ? 0 : NaN;
  if ((sign !== 43 && sign !== 45) || text.length !== at + 6 || text.charCodeAt(at + 3) !== 58) return NaN;
  const hour = digits(text, at + 1, 2);
  const minute = digits(text, at + 4, 2);
  if (!(hour <= 23 && minute <= 59)) return NaN;
  return (hour * 60 + minute) * (sign === 45 ? -60_000 : 60_000);
}

function countDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at - from;
}

function digits(text: string, from: number, length: number): number {
  let value = 0;
  for (let at = from; at < from + length; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return NaN;
    value = value * 10 + code - ZERO;
  }
  return value;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 57;
}
