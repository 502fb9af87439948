import type { Message } from '../message.js';
import { toIso } from '../message.js';
import { genericPayload } from './generic.js';

/** CloudEvents 1.0 in structured mode. A repeated message has the same id and source, which is how receivers know it. */
export function cloudeventsPayload(message: Message): Record<string, unknown> {
  const incident = 'incident' in message ? message.incident : undefined;
  return {
    specversion: '1.0',
    id: message.id,
    source: incident ? `/casebook/clusters/${encodeURIComponent(incident.cluster)}` : '/casebook',
    type: `casebook.incident.${message.kind.toLowerCase().replace('_', '-')}.v1`,
    ...(incident && { subject: incident.id }),
    time: toIso(message.at),
    datacontenttype: 'application/json',
    data: genericPayload(message),
  };
}
