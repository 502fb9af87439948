import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readBody } from '../../src/events/read-body.js';
import { formatNames } from '../../src/events/wire-formats.js';

const guide = readFileSync(new URL('../../docs/senders.md', import.meta.url), 'utf8');
const now = Date.parse('2026-06-01T12:00:00Z');

function blocks(language: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);
}

/** An Event as a Go template sees it. */
const EVENT: Record<string, string> = {
  '.UID': 'event-1',
  '.Count': '12',
  '.Type': 'Warning',
  '.Reason': 'BackOff',
  '.InvolvedObject.Kind': 'Pod',
  '.InvolvedObject.Namespace': 'shop',
  '.InvolvedObject.Name': 'web-0',
  '.InvolvedObject.UID': 'pod-1',
  '.InvolvedObject.FieldPath': 'spec.containers{app}',
  '.Source.Component': 'kubelet',
  '.Source.Host': 'node-7',
  '.FirstTimestamp': '2026-06-01 19:00:00 +0800 CST',
  '.LastTimestamp': '2026-06-01 19:30:00 +0800 CST',
  '.Message': 'Back-off restarting C:\\app\nin pod',
};

describe('docs/senders.md', () => {
  it('names every format, and no other', () => {
    const [table] = /^\| format \|[^]*?\n\n/m.exec(guide)!;
    const named = table.split('\n').flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`([a-z-]+)`/g)].map(([, name]) => name));
    expect(named.sort()).toEqual(formatNames);
  });

  it('refers to sections that it has', () => {
    const sections = [...guide.matchAll(/^## (.+)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'));
    const missing = [...guide.matchAll(/\]\(#([a-z-]+)\)/g)].map(([, anchor]) => anchor!).filter((anchor) => !sections.includes(anchor));
    expect(missing).toEqual([]);
  });

  it('shows YAML and JSON that can be read', () => {
    for (const text of blocks('yaml')) for (const document of parseAllDocuments(text)) expect(document.errors, text).toEqual([]);
    for (const text of blocks('json')) expect(() => JSON.parse(text) as unknown, text).not.toThrow();
  });

  it('gives kube-eventer a template that loses nothing of an Event', () => {
    const content = blocks('yaml')
      .filter((text) => text.includes('kind: ConfigMap') && text.includes('EventMessage'))
      .map((text) => (parse(text) as { data: { content: string } }).data.content);
    expect(content).toHaveLength(1);
    const body = content[0]!
      .replace('{{ printf "%q" .Message }}', JSON.stringify(EVENT['.Message']))
      .replaceAll(/\{\{ (\.[\w.]+) \}\}/g, (_all, path: string) => EVENT[path] ?? '<no value>');
    expect(readBody(Buffer.from(body), { now })).toEqual({
      events: [
        {
          index: 0,
          event: {
            uid: 'event-1',
            reason: 'BackOff',
            message: EVENT['.Message'],
            type: 'Warning',
            reporter: 'kubelet',
            host: 'node-7',
            object: { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'pod-1', container: 'app' },
            count: 12,
            firstAt: Date.parse('2026-06-01T11:00:00Z'),
            lastAt: Date.parse('2026-06-01T11:30:00Z'),
            timed: true,
          },
        },
      ],
      rejected: [],
    });
  });
});
