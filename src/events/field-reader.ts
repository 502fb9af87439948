import { parseRfc3339 } from './parse-rfc3339.js';
import { showValue } from './show-value.js';
import type { JsonObject } from './wire-format.js';

const SHORT_TEXT = 256;
const MESSAGE = 65_536;
const MAX_COUNT = 2_147_483_647;
const EARLIEST = Date.UTC(2014, 0, 1);
const DAY_MS = 86_400_000;
/** What Go writes for a time that was never set: 0001-01-01T00:00:00Z. */
const GO_ZERO_TIME = -62_135_596_800_000;
const EMPTY: JsonObject = Object.freeze({});
const NONE: readonly unknown[] = Object.freeze([]);

/**
 * Reads the fields of one foreign object and keeps the first thing that is wrong with them in `fault`. Reading goes on
 * with an empty value, so that a reader is a plain list of fields and asks once, at its end. `parent` is the path in
 * front of the field's name and is only looked at for a fault's sentence.
 */
export class FieldReader {
  /** First fault as `field: what is wrong`; empty while all is well. */
  fault = '';
  private readonly now: number;

  constructor(now: number) {
    this.now = now;
  }

  /** A name or word: trimmed, at most 256 characters; empty when absent. */
  word(value: unknown, field: string, parent = ''): string {
    return this.text(value, SHORT_TEXT, field, parent).trim();
  }

  /** A message as sent, at most 65,536 characters; empty when absent. */
  message(value: unknown, field: string, parent = ''): string {
    return this.text(value, MESSAGE, field, parent);
  }

  /** A time in milliseconds since the epoch; undefined for null, an empty text and Go's zero time. */
  time(value: unknown, field: string, parent = ''): number | undefined {
    if (value === undefined || value === null || value === '') return undefined;
    const time = timeOf(value);
    if (time === GO_ZERO_TIME) return undefined;
    if (Number.isNaN(time)) return this.fail(field, parent, `${showValue(value)} is not an RFC 3339 time`, undefined);
    if (time < EARLIEST) return this.fail(field, parent, `${showTime(value)} is before 2014-01-01`, undefined);
    if (time <= this.now + DAY_MS) return time;
    return this.fail(field, parent, `${showTime(value)} is more than 24 h in the future`, undefined);
  }

  /** A count of at least 0; 0 when absent. */
  count(value: unknown, field: string, parent = ''): number {
    if (value === undefined || value === null) return 0;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT) return value;
    return this.fail(field, parent, `${showValue(value)} is not a whole number from 0 to ${MAX_COUNT}`, 0);
  }

  /** True or false; false when absent. */
  flag(value: unknown, field: string, parent = ''): boolean {
    if (value === undefined || value === null) return false;
    return typeof value === 'boolean' ? value : this.fail(field, parent, `${showValue(value)} is not true or false`, false);
  }

  /** An object; an empty one when absent. */
  object(value: unknown, field: string, parent = ''): JsonObject {
    if (isJsonObject(value)) return value;
    if (value === undefined || value === null) return EMPTY;
    return this.fail(field, parent, `${showValue(value)} is not an object`, EMPTY);
  }

  /** An array; an empty one when absent. */
  array(value: unknown, field: string, parent = ''): readonly unknown[] {
    if (Array.isArray(value)) return value;
    if (value === undefined || value === null) return NONE;
    return this.fail(field, parent, `${showValue(value)} is not an array`, NONE);
  }

  private text(value: unknown, limit: number, field: string, parent: string): string {
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string') return this.fail(field, parent, `${showValue(value)} is not a text`, '');
    if (value.length > limit) {
      return this.fail(field, parent, `${value.length} characters are more than the ${limit} allowed`, '');
    }
    return storable(value);
  }

  private fail<T>(field: string, parent: string, what: string, instead: T): T {
    if (this.fault === '') this.fault = `${parent === '' ? field : `${parent}.${field}`}: ${what}`;
    return instead;
  }
}

/** True for a JSON object, and not for an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** PostgreSQL takes neither NUL nor half a surrogate pair; both become U+FFFD. */
function storable(text: string): string {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  return wellFormed.includes('\0') ? wellFormed.replaceAll('\0', '\uFFFD') : wellFormed;
}

/** Client libraries hand times on as Date objects; every sender on the wire writes text. */
function timeOf(value: unknown): number {
  if (typeof value === 'string') return parseRfc3339(value);
  return value instanceof Date ? value.getTime() : NaN;
}

function showTime(value: unknown): string {
  return showValue(value instanceof Date ? value.toISOString() : value);
}
