import { parseJsonText } from './parse-json-text.js';
import type { Finding } from './wire-format.js';

/** True for a text that looks like a JSON object or array; tells cheaply, without parsing. */
export function looksLikeJson(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const text = value.trim();
  return (text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[') && text.endsWith(']'));
}

/** Opens a text field that holds a body of its own; `field` names it in the refusal. */
export function openWrappedText(text: string, field: string): Finding {
  const value = parseJsonText(text);
  if (value === undefined) return { type: 'refusal', reason: `${field}: the text begins like JSON but is not` };
  return { type: 'elements', elements: [value], foreign: true };
}
