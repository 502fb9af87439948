/** Forms in which changes are told. */
export const PRESETS = ['generic', 'slack', 'wecom', 'dingtalk', 'feishu', 'pagerduty', 'cloudevents', 'alertmanager'] as const;
export type Preset = (typeof PRESETS)[number];

/** Changes that can be told. */
export const TOLD_KINDS = ['OPENED', 'REOPENED', 'RESOLVED', 'ACKNOWLEDGED', 'ASSIGNED', 'COMMENTED', 'UPDATED'] as const;
export type ToldKind = (typeof TOLD_KINDS)[number];

/** What a message is about: a change, many of them, or nothing. */
export type MessageKind = ToldKind | 'DIGEST' | 'STORM_ENDED' | 'TEST';

/** Incidents that a webhook tells of; a list that is absent does not restrict. */
export interface WebhookFilter {
  clusters?: string[];
  namespaces?: string[];
  kinds?: string[];
  severities?: string[];
  problems?: string[];
  codes?: string[];
  providers?: string[];
}

/** What of a webhook is stored sealed. */
export interface WebhookSecrets {
  url: string;
  secret?: string;
  headers: Record<string, string>;
}

/** What of a webhook is set by people and may be read. */
export interface WebhookSettings {
  name: string;
  preset: Preset;
  template: string | null;
  filter: WebhookFilter;
  kinds: ToldKind[];
  locale: 'en' | 'zh';
  /** A failure is told when it has lasted so long, seconds. */
  holdSeconds: number;
  /** A failure that is back within this time after its recovery was told is held, seconds. */
  flapSeconds: number;
  /** Most messages within `stormSeconds` before the rest becomes one. */
  stormCount: number;
  stormSeconds: number;
  enabled: boolean;
}

/** A webhook as stored. Times are milliseconds since the epoch. */
export interface Webhook extends WebhookSettings {
  id: string;
  /** Scheme, host and port of its address. */
  target: string;
  sealed: string;
  hasSecret: boolean;
  headerNames: string[];
  /** Changes made before are not told. */
  since: number;
  createdAt: number;
  updatedAt: number;
  windowAt: number | null;
  windowCount: number;
  stormId: string | null;
  stormAt: number | null;
}

/** What a webhook's receiver believes of an incident. Times are milliseconds since the epoch. */
export interface Told {
  /** `held`: not told yet; `told`: told of the failure; `recovered`: told of its end. */
  state: 'held' | 'told' | 'recovered';
  /** The kind of change that the failure is, or was, told as. */
  kind: ToldKind;
  /** When a held failure is told unless it ends before; null in other states. */
  dueAt: number | null;
  /** When the latest recovery was told. */
  recoveredAt: number | null;
  /** The message that told of the failure. */
  deliveryId: string | null;
  /** Whether that was a digest. */
  counted: boolean;
}

/** A message to be queued. */
export interface NewDelivery {
  id: string;
  webhookId: string;
  incidentId: string | null;
  clusterId: number | null;
  kind: MessageKind;
  /** The message that has to be delivered before this one may be sent. */
  about: string | null;
  body: string;
}

/** A message taken for sending. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  kind: MessageKind;
  body: string;
  /** This attempt's number, from 1. */
  attempts: number;
  /** How old it is since it was queued, milliseconds. */
  age: number;
  /** What became of the message that it follows: null when it follows none or that one is not kept any more. */
  aboutStatus: 'delivered' | 'dead' | null;
}

/** What came of an attempt. */
export interface Outcome {
  status: 'delivered' | 'dead' | 'pending';
  /** Pause before the next attempt, milliseconds; for `pending`. */
  pause?: number;
  /** Pause that the receiver asked for, which is not for this message alone, milliseconds. */
  asked?: number | undefined;
  answerCode: number | null;
  /** Beginning of the answer, with secrets taken out. */
  answer: string | null;
  /** Why it did not go; null when it did. */
  error: string | null;
}

/** A message as shown. Times are milliseconds since the epoch. */
export interface DeliveryRecord {
  id: string;
  seq: string;
  webhookId: string;
  webhookName: string;
  incidentId: string | null;
  kind: MessageKind;
  status: 'pending' | 'delivered' | 'dead';
  attempts: number;
  createdAt: number;
  nextAt: number | null;
  doneAt: number | null;
  answerCode: number | null;
  answer: string | null;
  error: string | null;
}

/** A webhook, or a message, that does not exist. */
export class WebhookUnknownError extends Error {
  readonly code = 'WEBHOOK_UNKNOWN';
}

/** What was asked of a webhook does not go with what there is. */
export class WebhookConflictError extends Error {
  readonly code = 'WEBHOOK_CONFLICT';
}
