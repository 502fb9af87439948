import { isJsonObject } from './field-reader.js';
import type { JsonObject } from './wire-format.js';

/** As deep as attributes and bodies are followed; deeper ones become null. */
const DEEPEST = 50;

/** Turns an OTLP AnyValue into the plain value that it stands for: a text, a number, true or false, an array or an object. */
export function plainValue(value: unknown, depth = 0): unknown {
  if (!isJsonObject(value) || depth > DEEPEST) return null;
  if (value.stringValue !== undefined) return value.stringValue;
  if (value.boolValue !== undefined) return value.boolValue;
  if (value.intValue !== undefined) return numberOf(value.intValue);
  if (value.doubleValue !== undefined) return numberOf(value.doubleValue);
  if (value.kvlistValue !== undefined) return plainObject(listOf(value.kvlistValue, 'values'), depth + 1);
  if (value.arrayValue !== undefined) return listOf(value.arrayValue, 'values').map((each) => plainValue(each, depth + 1));
  return value.bytesValue ?? null;
}

/** Turns a list of OTLP KeyValues into an object; of two with one key the first counts, as the standard allows no second. */
export function plainObject(pairs: readonly unknown[], depth = 0): JsonObject {
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const pair of pairs) {
    if (!isJsonObject(pair) || typeof pair.key !== 'string' || pair.key in result) continue;
    result[pair.key] = plainValue(pair.value, depth);
  }
  return result;
}

/** The list in a field of an object; an empty one when either is not there. */
export function listOf(value: unknown, field: string): readonly unknown[] {
  const list = isJsonObject(value) ? value[field] : undefined;
  return Array.isArray(list) ? list : [];
}

/** JSON writes 64-bit integers as text; a number that is none stays as it is, for the reader to refuse. */
function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(value) : value;
}
