import type { IncidentFacts, Message } from './message.js';
import { nameOfSubject, toIso, wordOfKind } from './message.js';

/** A message in words, for people. */
export interface DescribedMessage {
  /** One line. */
  title: string;
  /** Label and value, in the order of importance. */
  fields: { label: string; value: string }[];
  /** Further paragraphs. */
  text: string[];
}

const LABELS = {
  en: {
    cluster: 'Cluster',
    subject: 'Object',
    severity: 'Severity',
    code: 'Code',
    since: 'Since',
    ended: 'Ended',
    seen: 'Occurrences',
    affected: 'Affected',
    goesOn: 'It goes on as the incident',
  },
  zh: {
    cluster: '集群',
    subject: '对象',
    severity: '级别',
    code: '错误码',
    since: '开始于',
    ended: '结束于',
    seen: '次数',
    affected: '受影响',
    goesOn: '已并入故障',
  },
} as const;
const SEVERITIES: Record<string, { en: string; zh: string }> = {
  critical: { en: 'critical', zh: '严重' },
  error: { en: 'error', zh: '错误' },
  warning: { en: 'warning', zh: '警告' },
  info: { en: 'info', zh: '提示' },
};

/** Says a message in the words of its language. */
export function describeMessage(message: Message): DescribedMessage {
  const { kind, locale } = message;
  const merged = 'incident' in message && message.incident.mergedInto !== null;
  const word = wordOfKind(merged ? 'MERGED' : kind, locale);
  if ('incident' in message) return describeIncident(word, message.incident, locale, kind === 'RESOLVED');
  if (kind === 'DIGEST' && 'counts' in message) {
    const { total, counts, more } = message;
    const lines = counts.map(
      ({ kind: each, cluster, title, problem, count }) => `${count} × ${wordOfKind(each, locale)}: ${title} (${problem}), ${cluster}`,
    );
    const rest = more === 0 ? [] : [locale === 'zh' ? `另有 ${more} 行` : `and ${more} more rows`];
    return { title: locale === 'zh' ? `${word}：${total} 处` : `${word}: ${total}`, fields: [], text: [[...lines, ...rest].join('\n')] };
  }
  if (kind === 'TEST') {
    const text = locale === 'zh' ? '这是一条测试消息，无需处理。' : 'This is a test. Nothing has happened.';
    return { title: `${word}: ${message.webhook}`, fields: [], text: [text] };
  }
  return { title: word, fields: [], text: [locale === 'zh' ? '上一批故障已全部恢复。' : 'All failures of the earlier digest have ended.'] };
}

function describeIncident(word: string, incident: IncidentFacts, locale: 'en' | 'zh', ended: boolean): DescribedMessage {
  const labels = LABELS[locale];
  const { title, cluster, subject, severity, code, firstSeenAt, resolvedAt, occurrences, affectedCount, mergedInto } = incident;
  const said: [string, string | null][] = [
    [labels.cluster, cluster],
    [labels.subject, nameOfSubject(subject)],
    [labels.severity, SEVERITIES[severity]?.[locale] ?? severity],
    [labels.code, code],
    [labels.since, toIso(firstSeenAt)],
    [labels.ended, ended && resolvedAt !== null ? toIso(resolvedAt) : null],
    [labels.seen, String(occurrences)],
    [labels.affected, String(affectedCount)],
  ];
  return {
    title: `${word}: ${title}`,
    fields: said.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
    text:
      mergedInto !== null
        ? [`${labels.goesOn} ${mergedInto}`]
        : ended
          ? []
          : [incident.summary, ...incident.remedies.map((remedy) => `- ${remedy}`)].filter((part) => part !== ''),
  };
}

const ENCODER = new TextEncoder();

/** Cuts a text so that it has at most so many bytes as UTF-8, at a character. */
export function cutBytes(text: string, most: number): string {
  if (ENCODER.encode(text).length <= most) return text;
  let bytes = 3;
  let cut = '';
  for (const character of text) {
    bytes += ENCODER.encode(character).length;
    if (bytes > most) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Cuts a text so that it has at most so many characters. */
export function cutText(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
