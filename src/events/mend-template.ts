/** A key of a template's object, with its quotes and colon. */
const KEY = /"([A-Za-z][\w.-]{0,63})"\s*:/g;
/** A template of honest length has some twenty fields. */
const MOST = 64;

/**
 * Reads the one flat object that a template wrote without escaping its values: line ends and backslashes stand raw in
 * them, and a comma may be missing. A value reaches from its key to the next key. Gives undefined when there is none.
 */
export function mendTemplate(text: string): Record<string, string> | undefined {
  const body = text.trim();
  if (!body.startsWith('{') || !body.endsWith('}')) return undefined;
  const keys = [...take(body.matchAll(KEY), MOST + 1)];
  if (keys.length === 0 || keys.length > MOST || body.slice(1, keys[0]!.index).trim() !== '') return undefined;
  const fields = keys.map(({ 0: written, 1: key, index }, at): [string, string] => {
    const end = keys[at + 1]?.index ?? body.length - 1;
    return [key!, valueOf(body.slice(index + written.length, end))];
  });
  return Object.fromEntries(fields);
}

function valueOf(written: string): string {
  const value = written.trim().replace(/,$/, '').trim();
  if (value.length < 2 || !value.startsWith('"') || !value.endsWith('"')) return value;
  try {
    return JSON.parse(value) as string;
  } catch {
    // What is not escaped means itself.
    return value.slice(1, -1);
  }
}

function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  let taken = 0;
  for (const value of values) {
    if (taken++ === most) return;
    yield value;
  }
}
