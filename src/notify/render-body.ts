import type { Preset } from '../store/webhook.js';
import { fillTemplate } from './fill-template.js';
import type { Message } from './message.js';
import { alertmanagerPayload } from './payloads/alertmanager.js';
import { dingtalkPayload, feishuPayload, slackPayload, wecomPayload } from './payloads/chat.js';
import { cloudeventsPayload } from './payloads/cloudevents.js';
import { genericPayload } from './payloads/generic.js';
import { pagerdutyPayload } from './payloads/pagerduty.js';

const PAYLOADS: Record<Preset, (message: Message) => unknown> = {
  generic: genericPayload,
  slack: slackPayload,
  wecom: wecomPayload,
  dingtalk: dingtalkPayload,
  feishu: feishuPayload,
  pagerduty: pagerdutyPayload,
  cloudevents: cloudeventsPayload,
  alertmanager: alertmanagerPayload,
};

/** The body of a message as it is kept until it is sent: everything but secrets and signatures. */
export function renderBody({ preset, template }: { preset: Preset; template: string | null }, message: Message): string {
  const payload = template === null ? PAYLOADS[preset](message) : fillTemplate(template, genericPayload(message));
  return JSON.stringify(payload);
}

/** The media type of a preset's bodies. */
export function contentTypeOf(preset: Preset): string {
  return preset === 'cloudevents' ? 'application/cloudevents+json; charset=utf-8' : 'application/json; charset=utf-8';
}
