import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

interface Sample {
  kind: string;
  reason: string;
  type: string;
  reporter: string;
  node: string;
  message: string;
  accept: string[];
  topic: string;
}

const samples = readFileSync(new URL('../knowledge/samples.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Sample);

/** The cluster that a sample comes from, where its text tells. */
const clusterOf = ({ topic }: Sample): string => (topic === 'service-lb-ack' ? 'ack' : topic === 'ingress-tke' ? 'tke' : 'plain');

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({}, 'knowledge');
  for (const [name, provider] of [
    ['ack', 'ack'],
    ['tke', 'tke'],
    ['plain', 'kubernetes'],
  ] as const)
    await casebook.register(name, provider);
});
afterAll(() => casebook?.stop());

/** A sample as the API server would send it; its object is named by its number, to find it again. */
function wrapped({ kind, reason, type, reporter, node, message }: Sample, i: number): unknown {
  const now = new Date().toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { uid: `sample-${i}`, name: `sample-${i}`, namespace: 'default' },
    involvedObject: kind === '' ? {} : { kind, namespace: 'default', name: `sample-${i}` },
    reason,
    message,
    type,
    source: { component: reporter, host: kind === '' ? `sample-${i}` : node },
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
  };
}

describe('events as they appear in public, posted', () => {
  it('become the incident of an accepted problem each, and benign ones none', async () => {
    for (const cluster of ['ack', 'tke', 'plain']) {
      const own = samples.map((sample, i) => ({ sample, i })).filter(({ sample }) => clusterOf(sample) === cluster);
      const answer = await casebook.post(cluster, {
        kind: 'List',
        apiVersion: 'v1',
        items: own.map(({ sample, i }) => wrapped(sample, i)),
      });
      expect(answer).toMatchObject({ status: 200, body: { accepted: own.length, merged: 0, rejected: [] } });
    }
    const { data } = await casebook.graphql<{ incidents: { nodes: { problem: { id: string }; subject: { name: string } }[] } }>(
      '{ incidents(first: 200) { nodes { problem { id } subject { name } } } }',
    );
    const shown = new Map(data.incidents.nodes.map(({ problem, subject }) => [subject.name, problem.id]));
    const wrong = samples.flatMap((sample, i) => {
      const problem = shown.get(`sample-${i}`);
      const right = sample.accept.length === 0 ? problem === undefined : sample.accept.includes(problem ?? '');
      return right
        ? []
        : `${i}: ${problem ?? 'nothing'} instead of ${sample.accept.join(' or ') || 'nothing'} for ${sample.message.slice(0, 80)}`;
    });
    expect(wrong).toEqual([]);
  });
});
