import type { MessageKind, ToldKind } from '../store/webhook.js';

/** An incident as it is told: texts in the language of the webhook, times in milliseconds since the epoch. */
export interface IncidentFacts {
  id: string;
  cluster: string;
  problem: string;
  title: string;
  summary: string;
  /** What happens if nobody acts. */
  consequence: string;
  /** What mends the most likely cause, at most three. */
  remedies: string[];
  code: string | null;
  severity: string;
  status: string;
  subject: { kind: string; namespace: string; name: string };
  occurrences: number;
  affectedCount: number;
  firstSeenAt: number;
  lastSeenAt: number;
  resolvedAt: number | null;
  resolvedBy: string | null;
  /** The incident that this one went into, which is how it ended; else null. */
  mergedInto: string | null;
}

/** How many incidents of a problem in a cluster changed in one way. */
export interface DigestCount {
  kind: string;
  cluster: string;
  problem: string;
  title: string;
  severity: string;
  count: number;
}

interface Envelope {
  /** The same however often it is sent. */
  id: string;
  webhook: string;
  locale: 'en' | 'zh';
  /** When what is told happened. */
  at: number;
}

/** One change of one incident. */
export interface IncidentMessage extends Envelope {
  kind: ToldKind;
  incident: IncidentFacts;
}

/** Many changes in one message, because they came all at once. */
export interface DigestMessage extends Envelope {
  kind: 'DIGEST';
  total: number;
  /** The most frequent first. */
  counts: DigestCount[];
  /** How many more rows of counts there are. */
  more: number;
  /** The incidents themselves, for receivers that group by themselves. */
  incidents: IncidentFacts[];
}

/** The end of all that a digest told of, or a test. */
export interface PlainMessage extends Envelope {
  kind: 'STORM_ENDED' | 'TEST';
  /** Of the digest whose failures have ended. */
  digest: string | null;
}

/** What is told through a webhook. */
export type Message = IncidentMessage | DigestMessage | PlainMessage;

/** Whether a message is about one incident. */
export function isOfIncident(message: Message): message is IncidentMessage {
  return 'incident' in message;
}

/** A moment as every format writes it. */
export function toIso(at: number): string {
  return new Date(at).toISOString();
}

/** `namespace/Kind/name`, without the namespace for what has none. */
export function nameOfSubject({ kind, namespace, name }: IncidentFacts['subject']): string {
  return [namespace, kind, name].filter((part) => part !== '').join('/');
}

const KIND_WORDS: Record<MessageKind | 'MERGED', { en: string; zh: string }> = {
  OPENED: { en: 'Opened', zh: '新故障' },
  REOPENED: { en: 'Reopened', zh: '故障重现' },
  RESOLVED: { en: 'Resolved', zh: '已恢复' },
  MERGED: { en: 'Part of another', zh: '已并入其他故障' },
  ACKNOWLEDGED: { en: 'Acknowledged', zh: '已确认' },
  ASSIGNED: { en: 'Assigned', zh: '已指派' },
  COMMENTED: { en: 'Commented', zh: '有新评论' },
  UPDATED: { en: 'Updated', zh: '有更新' },
  DIGEST: { en: 'Many changes', zh: '大量变化' },
  STORM_ENDED: { en: 'All resolved', zh: '已全部恢复' },
  TEST: { en: 'Test', zh: '测试' },
};

/** What a kind of message is called; one that a newer version wrote by its own name. */
export function wordOfKind(kind: string, locale: 'en' | 'zh'): string {
  return Object.hasOwn(KIND_WORDS, kind) ? KIND_WORDS[kind as keyof typeof KIND_WORDS][locale] : kind;
}
