import { isJson } from './parse-pieces.js';

/** Parses a text that should be JSON; undefined when it is not. Scans before it parses: a thrown error per text is slow. */
export function parseJsonText(text: string): unknown {
  if (!isJson(text.trim())) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // It nests deeper than the engine's stack.
    return undefined;
  }
}
