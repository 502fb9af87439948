/** What one line of a watch says. */
export type WatchLine =
  | { type: 'change'; deleted: boolean; object: unknown; position: string | undefined }
  | { type: 'bookmark'; position: string | undefined }
  /** The watch is over; `status` is the code of the Status object. */
  | { type: 'error'; status: number; body: unknown }
  /** `text` is the line, or the beginning of one that is too long. */
  | { type: 'broken'; reason: string; text: string };

/** Reads one line of a watch, as in `{"type":"ADDED","object":{}}`. Never throws. */
export function readWatchLine(text: string): WatchLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken(text, 'is not JSON');
  }
  const { type, object } = (value ?? {}) as { type?: unknown; object?: unknown };
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type: 'change', deleted: type === 'DELETED', object, position: positionOf(object) };
    case 'BOOKMARK':
      return { type: 'bookmark', position: positionOf(object) };
    case 'ERROR':
      return { type: 'error', status: codeOf(object), body: object };
    default:
      return broken(text, 'is no line of a watch');
  }
}

/** The `metadata.resourceVersion` of an object or a list. */
export function positionOf(object: unknown): string | undefined {
  const position = (object as { metadata?: { resourceVersion?: unknown } | null } | null | undefined)?.metadata?.resourceVersion;
  return typeof position === 'string' && position !== '' ? position : undefined;
}

function codeOf(status: unknown): number {
  const code = (status as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'number' ? code : 500;
}

function broken(text: string, what: string): WatchLine {
  return { type: 'broken', reason: `the line ${what}`, text };
}
