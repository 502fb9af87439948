import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import type { MessageKind, Preset as PresetWord, ToldKind } from '../../store/webhook.js';
import { connectionType } from './connection-types.js';
import { Locale, Provider, Severity } from './enums.js';
import type { ValueOf } from './enums.js';
import { IncidentChangeKind } from './incident-change-types.js';
import { DateTime } from './scalars.js';

export const WebhookPreset = {
  GENERIC: 'generic',
  SLACK: 'slack',
  WECOM: 'wecom',
  DINGTALK: 'dingtalk',
  FEISHU: 'feishu',
  PAGERDUTY: 'pagerduty',
  CLOUDEVENTS: 'cloudevents',
  ALERTMANAGER: 'alertmanager',
} as const satisfies Record<string, PresetWord>;
export const DeliveryStatus = { PENDING: 'pending', DELIVERED: 'delivered', DEAD: 'dead' } as const;

registerEnumType(WebhookPreset, {
  name: 'WebhookPreset',
  description: 'In which form a webhook tells changes.',
  valuesMap: {
    GENERIC: { description: "Casebook's own JSON, or a template of your own." },
    SLACK: { description: 'Slack incoming webhook.' },
    WECOM: { description: 'WeCom group robot, as Markdown.' },
    DINGTALK: { description: 'DingTalk custom robot, as Markdown.' },
    FEISHU: { description: 'Feishu or Lark custom bot, as a card.' },
    PAGERDUTY: { description: 'PagerDuty Events API v2.' },
    CLOUDEVENTS: { description: 'CloudEvents 1.0 in structured mode.' },
    ALERTMANAGER: { description: 'Alertmanager API v2, as alerts.' },
  },
});
registerEnumType(DeliveryStatus, {
  name: 'DeliveryStatus',
  description: 'What became of a message.',
  valuesMap: {
    PENDING: { description: 'It waits to be sent, for the first time or again.' },
    DELIVERED: { description: 'The receiver took it.' },
    DEAD: { description: 'It was given up; it can be sent again.' },
  },
});

@InputType({ description: 'Which incidents a webhook tells of. All conditions have to hold; an empty list is as if it were left out.' })
export class WebhookFilterInput {
  @Field(() => [String], { nullable: true, description: 'Names of clusters.' })
  clusters?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Namespaces of the subject.' })
  namespaces?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Kinds of the subject, such as Ingress.' })
  kinds?: string[] | null;

  @Field(() => [Severity], { nullable: true, description: 'Severities.' })
  severities?: ValueOf<typeof Severity>[] | null;

  @Field(() => [ID], { nullable: true, description: 'Ids of problems.' })
  problems?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Error codes; letter case does not matter.' })
  codes?: string[] | null;

  @Field(() => [Provider], { nullable: true, description: 'Providers whose problem it is.' })
  providers?: ValueOf<typeof Provider>[] | null;
}

@ObjectType({ description: 'Which incidents a webhook tells of; an empty list does not restrict.' })
export class WebhookFilter {
  @Field(() => [String], { description: 'Names of clusters.' })
  clusters!: string[];

  @Field(() => [String], { description: 'Namespaces of the subject.' })
  namespaces!: string[];

  @Field(() => [String], { description: 'Kinds of the subject.' })
  kinds!: string[];

  @Field(() => [Severity], { description: 'Severities.' })
  severities!: string[];

  @Field(() => [ID], { description: 'Ids of problems.' })
  problems!: string[];

  @Field(() => [String], { description: 'Error codes.' })
  codes!: string[];

  @Field(() => [Provider], { description: 'Providers whose problem it is.' })
  providers!: string[];
}

@InputType({ description: 'A header of every request of a webhook.' })
export class WebhookHeaderInput {
  @Field(() => String, { description: 'Name such as Authorization.' })
  name!: string;

  @Field(() => String, { description: 'Value, at most 2000 characters; it is kept sealed and never shown.' })
  value!: string;
}

/** What is the same of a webhook that is created and one that is changed. */
@InputType({ isAbstract: true })
class WebhookSettingsInput {
  @Field(() => String, {
    nullable: true,
    description:
      'What signs the requests: the HMAC key of X-Casebook-Signature, the signing secret of DingTalk or Feishu, the routing key of PagerDuty. 8 to 200 characters, kept sealed and never shown; null for none.',
  })
  secret?: string | null;

  @Field(() => [WebhookHeaderInput], { nullable: true, description: 'Headers of every request, at most 20; null for none.' })
  headers?: WebhookHeaderInput[] | null;

  @Field(() => String, {
    nullable: true,
    description: 'JSON of your own with fields such as {{incident.title}} in its strings, for the preset GENERIC; null for the usual form.',
  })
  template?: string | null;

  @Field(() => WebhookFilterInput, { nullable: true, description: 'Which incidents it tells of; null for all.' })
  filter?: WebhookFilterInput | null;

  @Field(() => [IncidentChangeKind], {
    nullable: true,
    description: 'Kinds of change that it tells, OPENED, REOPENED and RESOLVED by default. OPENED or REOPENED has to be among them.',
  })
  kinds?: ToldKind[] | null;

  @Field(() => Locale, { nullable: true, description: 'Language of its texts, EN by default.' })
  locale?: ValueOf<typeof Locale> | null;

  @Field(() => Int, {
    nullable: true,
    description: 'A failure is told when it has lasted for so many seconds, 0 to 86400; 0 by default. One that ends before is never told.',
  })
  holdSeconds?: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'A failure that is back within so many seconds after its recovery was told is told only when it outlasts them, 0 to 86400; 300 by default.',
  })
  flapSeconds?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Most messages within stormSeconds, 1 to 1000; 20 by default. What is beyond becomes one message with counts.',
  })
  stormCount?: number | null;

  @Field(() => Int, { nullable: true, description: 'Seconds that messages are counted over, 5 to 3600; 60 by default.' })
  stormSeconds?: number | null;

  @Field(() => Boolean, { nullable: true, description: 'False to tell nothing for now; true by default.' })
  enabled?: boolean | null;
}

@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput extends WebhookSettingsInput {
  @Field(() => String, { description: 'Name of its own, 1 to 100 characters.' })
  name!: string;

  @Field(() => WebhookPreset, { description: 'In which form it tells changes.' })
  preset!: ValueOf<typeof WebhookPreset>;

  @Field(() => String, {
    nullable: true,
    description: 'Address that is posted to, kept sealed and never shown. It may be left out for PAGERDUTY.',
  })
  url?: string | null;
}

@InputType({ description: 'What to change of a webhook: what is left out stays as it is, null puts the default in its place.' })
export class UpdateWebhookInput extends WebhookSettingsInput {
  @Field(() => String, { nullable: true, description: 'Name of its own, 1 to 100 characters.' })
  name?: string | null;

  @Field(() => WebhookPreset, { nullable: true, description: 'In which form it tells changes.' })
  preset?: ValueOf<typeof WebhookPreset> | null;

  @Field(() => String, {
    nullable: true,
    description: 'Address that is posted to. One of another host needs secret and headers anew, so that they do not go to a stranger.',
  })
  url?: string | null;
}

@ObjectType({ description: 'Where changes of incidents are told over HTTP.' })
export class Webhook {
  @Field(() => ID, { description: 'Identity of the webhook.' })
  id!: string;

  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => WebhookPreset, { description: 'In which form it tells changes.' })
  preset!: string;

  @Field(() => String, { description: 'Scheme, host and port that it posts to; the rest of the address is a secret.' })
  target!: string;

  @Field(() => Boolean, { description: 'Whether it has a secret.' })
  hasSecret!: boolean;

  @Field(() => [String], { description: 'Names of its headers; their values are secrets.' })
  headerNames!: string[];

  @Field(() => String, { nullable: true, description: 'Its own template; null for the usual form.' })
  template!: string | null;

  @Field(() => WebhookFilter, { description: 'Which incidents it tells of.' })
  filter!: WebhookFilter;

  @Field(() => [IncidentChangeKind], { description: 'Kinds of change that it tells.' })
  kinds!: string[];

  @Field(() => Locale, { description: 'Language of its texts.' })
  locale!: string;

  @Field(() => Int, { description: 'Seconds that a failure has to last before it is told.' })
  holdSeconds!: number;

  @Field(() => Int, { description: 'Seconds after a told recovery within which a failure that is back is held.' })
  flapSeconds!: number;

  @Field(() => Int, { description: 'Most messages within stormSeconds before the rest becomes one.' })
  stormCount!: number;

  @Field(() => Int, { description: 'Seconds that messages are counted over.' })
  stormSeconds!: number;

  @Field(() => Boolean, { description: 'Whether it tells anything at present.' })
  enabled!: boolean;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: number;

  @Field(() => DateTime, { description: 'When it was changed last.' })
  updatedAt!: number;
}

@ObjectType({ description: 'One message of a webhook.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Identity of the message: its Idempotency-Key, the same however often it is sent.' })
  id!: string;

  @Field(() => ID, { description: 'Identity of its webhook.' })
  webhookId!: string;

  @Field(() => String, { description: 'Name of its webhook.' })
  webhookName!: string;

  @Field(() => ID, { nullable: true, description: 'Identity of the incident that it is about; null for a digest and for a test.' })
  incidentId!: string | null;

  @Field(() => String, { description: 'What it tells: a kind of change, or DIGEST, STORM_ENDED or TEST.' })
  kind!: MessageKind;

  @Field(() => DeliveryStatus, { description: 'What became of it.' })
  status!: string;

  @Field(() => Int, { description: 'How often it was sent since it was queued.' })
  attempts!: number;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: number;

  @Field(() => DateTime, { nullable: true, description: 'When it is sent next; null when it is not sent any more.' })
  nextAt!: number | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was delivered or given up; null while it waits.' })
  doneAt!: number | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the latest answer; null when there was none.' })
  answerCode!: number | null;

  @Field(() => String, { nullable: true, description: 'Beginning of the latest answer, at most 500 characters, with secrets taken out.' })
  answer!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was not delivered at the latest attempt; null when it was.' })
  error!: string | null;
}

export const WebhookDeliveryConnection = connectionType(() => WebhookDelivery, 'WebhookDelivery', 'messages of webhooks');
