import { describe, expect, it } from 'vitest';
import { checkTemplate, fillTemplate, TEMPLATE_FIELDS } from '../fill-template.js';
import type { DigestMessage, IncidentFacts, IncidentMessage } from '../message.js';
import type { Preset, ToldKind } from '../../store/webhook.js';
import { renderBody } from '../render-body.js';
import { genericPayload } from './generic.js';

/* oxlint-disable typescript/no-explicit-any -- payloads have whatever shape the service wants */

const AT = Date.parse('2026-11-21T10:00:00Z');
const INCIDENT: IncidentFacts = {
  id: '11111111-2222-3333-4444-555555555555',
  cluster: 'prod',
  problem: 'tke/ingress/E4011',
  title: 'TLS Secret holds no certificate <id>',
  summary: 'The Secret has no key.',
  consequence: 'Updates stay unapplied.',
  remedies: ['Put the id into the Secret.'],
  code: 'E4011',
  severity: 'error',
  status: 'open',
  subject: { kind: 'Ingress', namespace: 'shop', name: 'web' },
  occurrences: 3,
  affectedCount: 1,
  firstSeenAt: AT - 60_000,
  lastSeenAt: AT,
  resolvedAt: null,
  resolvedBy: null,
  mergedInto: null,
};
const message = (kind: ToldKind, incident: Partial<IncidentFacts> = {}, locale: 'en' | 'zh' = 'en'): IncidentMessage => ({
  id: 'aaaaaaaa-0000-4000-8000-000000000000',
  webhook: 'team',
  locale,
  at: AT,
  kind,
  incident: { ...INCIDENT, ...incident },
});
const RESOLVED = { status: 'resolved', resolvedAt: AT, resolvedBy: 'QUIET' };
const DIGEST: DigestMessage = {
  id: 'bbbbbbbb-0000-4000-8000-000000000000',
  webhook: 'team',
  locale: 'en',
  at: AT,
  kind: 'DIGEST',
  total: 40,
  counts: [{ kind: 'OPENED', cluster: 'prod', problem: 'p/q/r', title: 'Crash', severity: 'critical', count: 40 }],
  more: 0,
  incidents: [INCIDENT, { ...INCIDENT, id: 'other', ...RESOLVED }],
};
const render = (preset: Preset, what: IncidentMessage | DigestMessage): any => JSON.parse(renderBody({ preset, template: null }, what));

describe('PagerDuty Events v2', () => {
  it('triggers an alert', () => {
    expect(render('pagerduty', message('OPENED'))).toEqual({
      event_action: 'trigger',
      dedup_key: `casebook/${INCIDENT.id}`,
      client: 'Casebook',
      payload: {
        summary: 'Opened: TLS Secret holds no certificate <id>',
        timestamp: '2026-11-21T10:00:00.000Z',
        source: 'prod/shop/Ingress/web',
        severity: 'error',
        component: 'web',
        group: 'prod',
        class: 'tke/ingress/E4011',
        custom_details: expect.objectContaining({ occurrences: 3, firstSeenAt: '2026-11-21T09:59:00.000Z' }),
      },
    });
  });

  it('acknowledges and resolves it by the same key', () => {
    expect(render('pagerduty', message('ACKNOWLEDGED'))).toEqual({ event_action: 'acknowledge', dedup_key: `casebook/${INCIDENT.id}` });
    expect(render('pagerduty', message('RESOLVED', RESOLVED))).toEqual({ event_action: 'resolve', dedup_key: `casebook/${INCIDENT.id}` });
  });

  it('pages nobody for what is said of an incident that has ended', () => {
    expect(render('pagerduty', message('COMMENTED', RESOLVED))).toEqual({ event_action: 'resolve', dedup_key: `casebook/${INCIDENT.id}` });
  });

  it('makes one alert of a storm, as bad as its worst', () => {
    expect(render('pagerduty', DIGEST)).toMatchObject({
      event_action: 'trigger',
      dedup_key: `casebook/storm/${DIGEST.id}`,
      payload: { severity: 'critical', source: 'casebook' },
    });
  });
});

describe('Slack', () => {
  it('has a fallback text and blocks, in which nothing calls anybody', () => {
    const body = render('slack', message('OPENED', { subject: { kind: 'Pod', namespace: '<!channel>', name: 'a&b' } }));
    expect(body.text).toBe('Opened: TLS Secret holds no certificate &lt;id&gt;');
    expect(body.blocks.map(({ type }: any) => type)).toEqual(['header', 'section', 'section']);
    expect(body.blocks[0]).toEqual({ type: 'header', text: { type: 'plain_text', text: 'Opened: TLS Secret holds no certificate <id>' } });
    expect(body.blocks[1].fields).toContainEqual({ type: 'mrkdwn', text: '*Object*\n&lt;!channel&gt;/Pod/a&amp;b' });
    expect(body.blocks[1].fields.length).toBeLessThanOrEqual(10);
    expect(body.blocks[2]).toEqual({
      type: 'section',
      text: { type: 'mrkdwn', text: 'The Secret has no key.\n- Put the id into the Secret.' },
    });
  });

  it('stays within the limits of Slack', () => {
    const body = render('slack', message('OPENED', { title: '长'.repeat(5000), summary: 'x'.repeat(9000) }));
    expect([...body.blocks[0].text.text].length).toBe(150);
    expect(body.blocks[2].text.text.length).toBe(3000);
  });
});

describe('WeCom', () => {
  it('is Markdown of at most 4,096 bytes', () => {
    const body = render('wecom', message('OPENED', {}, 'zh'));
    expect(body).toEqual({
      msgtype: 'markdown',
      markdown: { content: expect.stringContaining('<font color="warning">新故障: TLS Secret holds no certificate ‹id›</font>') },
    });
    expect(body.markdown.content).toContain('> 集群: **prod**');
    const long = render('wecom', message('OPENED', { summary: '长'.repeat(9000) }));
    expect(new TextEncoder().encode(long.markdown.content).length).toBeLessThanOrEqual(4096);
    expect(render('wecom', message('RESOLVED', RESOLVED)).markdown.content).toContain('color="info"');
  });
});

describe('DingTalk', () => {
  it('is Markdown with a title', () => {
    const body = render('dingtalk', message('OPENED'));
    expect(body).toEqual({
      msgtype: 'markdown',
      markdown: { title: 'Opened: TLS Secret holds no certificate ‹id›', text: expect.stringMatching(/^### Opened: /) },
    });
  });
});

describe('Feishu', () => {
  it('is a card whose colour tells how bad it is', () => {
    const body = render('feishu', message('OPENED', { subject: { kind: 'Pod', namespace: '', name: '<at id=all></at>' } }));
    expect(body).toMatchObject({
      msg_type: 'interactive',
      card: {
        header: { title: { tag: 'plain_text', content: expect.any(String) }, template: 'red' },
        elements: [{ tag: 'div', text: { tag: 'lark_md' } }, { tag: 'div' }],
      },
    });
    expect(JSON.stringify(body.card.elements)).not.toContain('<at');
    expect(render('feishu', message('OPENED', { severity: 'warning' })).card.header.template).toBe('orange');
    expect(render('feishu', message('RESOLVED', RESOLVED)).card.header.template).toBe('green');
  });
});

describe('chat services', () => {
  it.each(['wecom', 'dingtalk', 'feishu'] as const)('make no link and no picture of a text from a cluster: %s', (preset) => {
    const body = render(preset, message('OPENED', { summary: 'See [the fix](https://evil.example.com) ![x](https://evil.example.com/x)' }));
    expect(JSON.stringify(body)).not.toContain('](');
  });

  it('say where an incident went that is part of another one', () => {
    const merged = message('RESOLVED', { ...RESOLVED, resolvedBy: 'MERGED', mergedInto: 'other-incident' });
    const { text, blocks } = render('slack', merged);
    expect(text).toMatch(/^Part of another: /);
    expect(blocks.at(-1).text.text).toBe('It goes on as the incident other-incident');
  });
});

describe('CloudEvents', () => {
  it('has the attributes of 1.0 and the generic form as data', () => {
    expect(render('cloudevents', message('OPENED'))).toEqual({
      specversion: '1.0',
      id: 'aaaaaaaa-0000-4000-8000-000000000000',
      source: '/casebook/clusters/prod',
      type: 'casebook.incident.opened.v1',
      subject: INCIDENT.id,
      time: '2026-11-21T10:00:00.000Z',
      datacontenttype: 'application/json',
      data: JSON.parse(JSON.stringify(genericPayload(message('OPENED')))),
    });
  });
});

describe('Alertmanager v2', () => {
  const labels = {
    alertname: 'tke/ingress/E4011',
    severity: 'error',
    cluster: 'prod',
    namespace: 'shop',
    name: 'web',
    code: 'E4011',
    incident: INCIDENT.id,
  };

  it('posts an alert that lasts until it is ended', () => {
    expect(render('alertmanager', message('OPENED'))).toEqual([
      {
        labels,
        annotations: { summary: INCIDENT.title, description: INCIDENT.summary, kind: 'Ingress' },
        startsAt: '2026-11-21T09:59:00.000Z',
        endsAt: '2027-11-21T10:00:00.000Z',
      },
    ]);
  });

  it('ends it under every severity that it may have had', () => {
    const alerts = render('alertmanager', message('RESOLVED', RESOLVED));
    expect(alerts.map((alert: any) => [alert.labels.severity, alert.endsAt])).toEqual(
      ['error', 'critical', 'warning', 'info'].map((severity) => [severity, '2026-11-21T10:00:00.000Z']),
    );
    expect(alerts[0].labels).toEqual(labels);
  });

  it('posts all incidents of a storm at once', () => {
    const alerts = render('alertmanager', DIGEST);
    expect(new Set(alerts.map((alert: any) => alert.labels.incident))).toEqual(new Set([INCIDENT.id, 'other']));
    expect(alerts.every((alert: any) => Date.parse(alert.startsAt) <= Date.parse(alert.endsAt))).toBe(true);
  });
});

describe('templates', () => {
  it('can use every field there is', () => {
    const values = genericPayload(message('RESOLVED', { ...RESOLVED, mergedInto: 'other' }));
    const missing = TEMPLATE_FIELDS.filter(
      (field) => !field.startsWith('digest') && fillTemplate(JSON.stringify(`{{${field}}}`), values) === null,
    );
    expect(missing).toEqual([]);
  });

  it('keep types where a field stands alone, and are text elsewhere', () => {
    const filled = fillTemplate(
      '{"n":"{{incident.occurrences}}","s":"{{ incident.occurrences }} times","r":"{{incident.remedies}}","d":"x{{digest}}"}',
      genericPayload(message('OPENED')),
    );
    expect(filled).toEqual({ n: 3, s: '3 times', r: ['Put the id into the Secret.'], d: 'x' });
  });

  it('are refused when they cannot be filled', () => {
    expect(checkTemplate('{"a":"{{incident.nothing}}"}')).toContain('there is no field "incident.nothing"');
    expect(checkTemplate('{"a":"{{incident.title"}')).toContain('not closed');
    expect(checkTemplate('{"a":{{kind}}}')).toContain('expected JSON');
    expect(checkTemplate(JSON.stringify({ a: '{{constructor}}' }))).toContain('there is no field');
    expect(checkTemplate(`"${'x'.repeat(30_000)}"`)).toContain('at most 20000');
    expect(checkTemplate('{"a":"{{kind}}"}')).toBeUndefined();
  });
});
