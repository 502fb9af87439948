import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/platform/scope.js';
import { EVERYTHING } from '../../src/platform/scope.js';
import type { Dimension } from '../../src/store/queries/cell-source.js';
import { TrendRepository } from '../../src/store/trend.repository.js';
import { bundledRecogniser, Story, timeOf } from '../support/story.js';
import { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const FROM = timeOf('00:00');
const TO = timeOf('+1d 00:00');
const CRASH = { reason: 'BackOff', message: 'Back-off restarting failed container app in pod web', container: 'app' };

let database: TestDatabase;
let intake: TestIntake;
let trends: TrendRepository;
let names: string[];

/** The same crash loop in two clusters, in each in two namespaces; in the second cluster also on a Node, which has none. */
beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  trends = new TrendRepository(intake.database);
  const recogniser = await bundledRecogniser();
  const [one, two] = [new Story(intake, recogniser), new Story(intake, recogniser)];
  for (const story of [one, two]) {
    await story.push('01:10', { ...CRASH, namespace: 'shop' });
    await story.push('01:20', { ...CRASH, namespace: 'bank', uid: `bank-${await story.cluster()}`, count: 3 });
    await story.by('02:00');
  }
  await two.push('03:05', {
    kind: 'Node',
    name: 'node-1',
    reason: 'NodeNotReady',
    message: 'Node node-1 status is now: NodeNotReady',
    type: 'Normal',
    reporter: 'node-controller',
  });
  const found = await intake.database.rows<{ name: string }>('SELECT name FROM cluster ORDER BY id');
  names = found.map(({ name }) => name);
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

const edges = [timeOf('00:00'), timeOf('01:15'), TO];
const scopes: [string, () => Scope, { occurrences: number; incidents: number; clusters: number }][] = [
  ['everything', () => EVERYTHING, { occurrences: 9, incidents: 5, clusters: 2 }],
  ['one cluster', () => ({ clusters: [names[0]!], namespaces: null }), { occurrences: 4, incidents: 2, clusters: 1 }],
  ['one namespace', () => ({ clusters: null, namespaces: ['bank'] }), { occurrences: 6, incidents: 2, clusters: 2 }],
  ['one namespace of one cluster', () => ({ clusters: [names[1]!], namespaces: ['shop'] }), { occurrences: 1, incidents: 1, clusters: 1 }],
  ['no cluster', () => ({ clusters: [], namespaces: null }), { occurrences: 0, incidents: 0, clusters: 0 }],
  ['a cluster that is not there', () => ({ clusters: ['%', "'; --"], namespaces: null }), { occurrences: 0, incidents: 0, clusters: 0 }],
];

describe.each(scopes)('a caller who may see %s', (_name, scope, expected) => {
  it.each<[Dimension[]]>([
    [[]],
    [['cluster']],
    [['problem']],
    [['namespace']],
    [['namespace', 'problem']],
    [['area', 'cluster']],
    [['status']],
  ])('sees no other sums, by %j', async (dimensions) => {
    const query = { filter: {}, scope: scope(), edges, dimensions, facts: [] };
    const { groups, total } = await trends.series({ ...query, open: true, first: 100, rankFrom: 0 });
    const sum = (of: (bucket: { occurrences: number | null; opened: number }) => number): number =>
      total.buckets.reduce((all, bucket) => all + of(bucket), 0);
    expect(sum(({ opened }) => opened)).toBe(expected.incidents);
    if (!dimensions.includes('status')) expect(sum(({ occurrences }) => occurrences ?? 0)).toBe(expected.occurrences);
    const ofGroups = groups.flatMap(({ buckets }) => buckets).reduce((all, { opened }) => all + opened, 0);
    expect(ofGroups).toBe(expected.incidents);
    const rows = await trends.rows(query);
    expect(rows.reduce((all, { opened }) => all + opened, 0)).toBe(expected.incidents);
  });

  it('sees no other times, arrivals and changes', async () => {
    const asked = { filter: {}, scope: scope(), from: FROM, to: TO };
    const seen = await trends.seen(asked);
    expect(seen).toHaveLength(expected.clusters);
    expect(seen.reduce((all, { subjects }) => all + subjects, 0)).toBe(expected.incidents);
    const ended = await trends.resolveTimes({ ...asked, dimensions: [], facts: [] });
    expect(ended.find(({ key }) => key === null)?.counted ?? 0).toBeLessThanOrEqual(expected.incidents);
    const arrivals = await trends.arrivals({ ...asked, away: 3_600_000, limit: 100 });
    expect(arrivals).toHaveLength(expected.clusters === 2 ? 2 : 0);
    const movers = await trends.movers({
      filter: {},
      scope: scope(),
      dimensions: ['cluster'],
      facts: [],
      edges: [FROM - 1000 * 86_400_000, FROM, TO],
      measure: 'occurrences',
      rising: true,
      first: 100,
    });
    expect(movers.reduce((all, { now }) => all + now, 0)).toBeLessThanOrEqual(expected.occurrences);
    expect(movers.every(({ key }) => scope().clusters?.includes(key[0]!) ?? true)).toBe(true);
  });

  it('sees no other subject', async () => {
    const subject = { kind: 'Deployment', namespace: 'bank', name: 'web' };
    const { total } = await trends.series({
      filter: { subject },
      scope: scope(),
      edges,
      dimensions: ['cluster'],
      facts: [],
      open: true,
      first: 100,
      rankFrom: 0,
    });
    const visible = ['everything', 'one namespace'].includes(_name) ? 6 : _name === 'one cluster' ? 3 : 0;
    expect(total.buckets.reduce((all, { occurrences }) => all + (occurrences ?? 0), 0)).toBe(visible);
  });
});

describe('A cluster that is being removed', () => {
  it('adds nothing to any sum, for what is left of it adds up to nothing that is true', async () => {
    await intake.database.rows('UPDATE cluster SET removing_at = now() WHERE name = $1', names[1]);
    // As a removal leaves it half way: the episodes are gone, and the sums are still there.
    await intake.database.rows(
      `DELETE FROM episode e USING incident i, cluster c WHERE i.id = e.incident_id AND c.id = i.cluster_id AND c.name = $1`,
      names[1],
    );
    const asked = { filter: {}, scope: EVERYTHING, from: FROM, to: TO };
    for (const dimensions of [[], ['cluster'], ['status']] as Dimension[][]) {
      const query = { filter: {}, scope: EVERYTHING, edges, dimensions, facts: [] };
      const { total } = await trends.series({ ...query, open: true, first: 100, rankFrom: 0 });
      expect(total.buckets.reduce((all, { opened }) => all + opened, 0)).toBe(2);
      expect(total.open).toEqual([1, 0]);
      expect((await trends.rows(query)).reduce((all, { opened }) => all + opened, 0)).toBe(2);
    }
    expect((await trends.seen(asked)).map(({ cluster }) => cluster)).toEqual([names[0]]);
    expect(await trends.arrivals({ ...asked, away: 3_600_000, limit: 100 })).toEqual([]);
  });
});
