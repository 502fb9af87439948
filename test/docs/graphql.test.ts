import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crash, e4011 } from '../support/core-event.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** Each section's heading, query and variables. */
const SECTIONS = [...read('docs/graphql.md').matchAll(/^## (.+)\n[^]*?```graphql\n([^]*?)```\n\n```json\n([^]*?)```/gm)].map(
  ([, title, query, variables]) => ({ title: title!, query: query!, variables: JSON.parse(variables!) as Record<string, unknown> }),
);

/** How many things an answer holds: an answer of empty lists and nulls shows nothing. */
function leaves(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + leaves(each), 0);
}

describe('docs/graphql.md', () => {
  let casebook: TestCasebook;
  let incident: string;

  beforeAll(async () => {
    casebook = await startTestCasebook({}, 'knowledge');
    for (const cluster of ['prod-eu', 'prod-us']) {
      await casebook.register(cluster);
      const hour = cluster === 'prod-eu' ? '08' : '11';
      const events = [e4011({ at: `2026-06-03T${hour}:00:00Z` }), crash({ at: `2026-06-03T${hour}:30:00Z`, count: 5 })];
      expect((await casebook.post(cluster, events)).body).toMatchObject({ accepted: 2 });
    }
    const { data } = await casebook.graphql('{ incidents(filter: { clusters: ["prod-eu"], codes: ["E4011"] }) { nodes { id } } }');
    incident = data.incidents.nodes[0].id;
  });
  afterAll(() => casebook?.stop());

  it('shows ten queries, and how to go on', () => {
    expect(SECTIONS.map(({ title }) => Number.parseInt(title, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, Number.NaN]);
  });

  it.each(SECTIONS.filter(({ query }) => !query.startsWith('subscription')))('runs "$title"', async ({ query, variables }) => {
    const { data, errors } = await casebook.graphql(query, 'id' in variables ? { id: incident } : variables);
    expect(errors).toBeUndefined();
    const [answer] = Object.values(data);
    expect(leaves(answer)).toBeGreaterThan(1);
  });

  it('shows a subscription that the schema knows', () => {
    const [subscription] = SECTIONS.filter(({ query }) => query.startsWith('subscription'));
    expect(validate(buildSchema(read('schema.graphql')), parse(subscription!.query))).toEqual([]);
  });
});
