import { cutBytes, cutText, describeMessage } from '../describe-message.js';
import type { Message } from '../message.js';

/** Names and texts from clusters must not call people, which angle brackets do in all of these services, nor make links or pictures. */
function harmless(text: string): string {
  return text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('](', '] (');
}

/** Slack has escapes of its own. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const isGood = ({ kind }: Message): boolean => kind === 'RESOLVED' || kind === 'STORM_ENDED' || kind === 'TEST';

/** Slack incoming webhook: a fallback text, and blocks within their limits (header 150, section 3,000, field 2,000 characters, 10 fields). */
export function slackPayload(message: Message): Record<string, unknown> {
  const { title, fields, text } = describeMessage(message);
  const shown = fields
    .slice(0, 10)
    .map(({ label, value }) => ({ type: 'mrkdwn', text: cutText(`*${label}*\n${escapeSlack(value)}`, 2000) }));
  return {
    text: cutText(escapeSlack(title), 3000),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cutText(title, 150) } },
      ...(shown.length > 0 ? [{ type: 'section', fields: shown }] : []),
      ...(text.length > 0 ? [{ type: 'section', text: { type: 'mrkdwn', text: cutText(escapeSlack(text.join('\n')), 3000) } }] : []),
    ],
  };
}

function markdownOf(message: Message, heading: string): string {
  const { fields, text } = describeMessage(message);
  const rows = fields.map(({ label, value }) => `> ${label}: **${harmless(value)}**`);
  return [heading, rows.join('\n'), harmless(text.join('\n'))].filter((part) => part !== '').join('\n\n');
}

/** WeCom group robot: Markdown of at most 4,096 bytes. */
export function wecomPayload(message: Message): Record<string, unknown> {
  const { title } = describeMessage(message);
  const heading = `<font color="${isGood(message) ? 'info' : 'warning'}">${harmless(title)}</font>`;
  return { msgtype: 'markdown', markdown: { content: cutBytes(markdownOf(message, heading), 4096) } };
}

/** DingTalk custom robot: Markdown; lines are parted by an empty one. */
export function dingtalkPayload(message: Message): Record<string, unknown> {
  const title = harmless(describeMessage(message).title);
  const text = markdownOf(message, `### ${title}`).replaceAll(/([^\n])\n([^\n])/g, '$1  \n$2');
  return { msgtype: 'markdown', markdown: { title: cutText(title, 100), text: cutBytes(text, 18_000) } };
}

/** Feishu (Lark) custom bot: a card. Its signature is added when it is sent. */
export function feishuPayload(message: Message): Record<string, unknown> {
  const { title, fields, text } = describeMessage(message);
  const severity = 'incident' in message ? message.incident.severity : '';
  const colour = isGood(message) ? 'green' : severity === 'critical' || severity === 'error' ? 'red' : 'orange';
  const div = (content: string): object => ({ tag: 'div', text: { tag: 'lark_md', content: cutBytes(harmless(content), 8000) } });
  return {
    msg_type: 'interactive',
    card: {
      config: { wide_screen_mode: true },
      header: { title: { tag: 'plain_text', content: cutText(title, 200) }, template: colour },
      elements: [
        ...(fields.length > 0 ? [div(fields.map(({ label, value }) => `**${label}**: ${value}`).join('\n'))] : []),
        ...(text.length > 0 ? [div(text.join('\n'))] : []),
      ],
    },
  };
}
