import type { MatchableEvent } from '../matching/event-facts.js';

/** Fields that a person gives beside a bare message. */
export interface DescribedFields {
  kind?: string | undefined;
  reason?: string | undefined;
  type?: string | undefined;
  reporter?: string | undefined;
}

/** Makes an event of what a person pasted: a Kubernetes Event as JSON, an example as JSON, or a bare message. */
export function readDescribedEvent(text: string, fields: DescribedFields = {}): MatchableEvent {
  const raw = parseObject(text);
  const from = (...paths: string[]): string => paths.map((path) => pick(raw, path)).find((value) => value !== undefined) ?? '';
  return {
    reason: fields.reason ?? from('reason'),
    type: fields.type ?? from('type'),
    reporter: fields.reporter ?? from('reporter', 'source.component', 'reportingComponent', 'reportingController'),
    message: raw ? from('message', 'note') : text,
    object: { kind: fields.kind ?? from('object.kind', 'involvedObject.kind', 'regarding.kind', 'kind').replace(/^Event$/, '') },
  };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const raw: unknown = JSON.parse(text);
    return typeof raw === 'object' && raw !== null && ('message' in raw || 'note' in raw) ? (raw as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function pick(raw: Record<string, unknown> | undefined, path: string): string | undefined {
  let value: unknown = raw;
  for (const key of path.split('.'))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
