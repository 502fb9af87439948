import { resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readValues } from '../../src/events/read-body.js';
import { compileClearing } from '../../src/incidents/clearing.js';
import { inspectKnowledge } from '../../src/knowledge/knowledge.loader.js';
import { compileMatcher } from '../../src/matching/compile-matcher.js';
import { failingReasons } from '../../src/matching/tells-failure.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { recognise } from '../../src/pipeline/recognise.js';
import { EVERYTHING } from '../../src/platform/scope.js';
import { countUndiagnosed } from '../../src/store/statements/count-undiagnosed.js';
import { UndiagnosedRepository } from '../../src/store/undiagnosed.repository.js';
import type { DescribedEvent } from '../support/core-event.js';
import { coreEvent, crash } from '../support/core-event.js';
import { TestIntake } from '../support/stream.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const NOW = Date.parse('2026-03-05T12:00:00Z');

let database: TestDatabase;
let intake: TestIntake;
let repository: UndiagnosedRepository;
let recogniser: Recogniser;
let clusters = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  repository = new UndiagnosedRepository(intake.database);
  const { knowledge } = await inspectKnowledge({ bundled: resolve('test/support/knowledge') });
  const { problems } = knowledge;
  recogniser = { knowledge, matcher: compileMatcher(problems), clearing: compileClearing(problems), failing: failingReasons(problems) };
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

const strange = (said: DescribedEvent): Record<string, unknown> =>
  coreEvent({ kind: 'Widget', reason: 'Odd', component: 'widgets', message: 'widget turned odd', at: '2026-03-05T10:00:00Z', ...said });

async function push(clusterId: number, events: readonly unknown[]): Promise<void> {
  const { events: read, rejected } = readValues(events, { now: NOW });
  expect(rejected).toEqual([]);
  const deliveries = read.map(({ event }) => recognise(recogniser, event, 'kubernetes'));
  await intake.push(clusterId, deliveries, NOW);
}

/** What is counted of a cluster, by pattern, namespace and day. */
function counted(clusterId: number): Promise<Record<string, unknown>[]> {
  return intake.database.rows(
    `SELECT p.hash, p.template, c.namespace, to_char(c.day, 'YYYY-MM-DD') AS day, c.occurrences::integer AS occurrences, c.events
     FROM undiagnosed_cell c JOIN undiagnosed_pattern p ON p.id = c.pattern_id WHERE c.cluster_id = $1 AND c.events > 0
     ORDER BY p.hash, c.namespace, c.day`,
    clusterId,
  );
}

describe('what no problem explains', () => {
  it('counts an Event with its highest count on the day of its latest happening, however often and in whatever order it is told', async () => {
    const delivery = fc.record({
      uid: fc.constantFrom('e1', 'e2', 'e3', 'e4'),
      life: fc.nat(5),
    });
    // The life of each Event is one line: what differs is who tells of which moment, when, and in which batch.
    const told = ({ uid, life }: { uid: string; life: number }) => {
      const at = new Date(Date.parse('2026-03-01T20:00:00Z') + life * 5 * 3_600_000).toISOString();
      const said = { uid, count: 1 + life * 2, at, firstAt: '2026-03-01T20:00:00Z', namespace: uid < 'e3' ? 'shop' : 'bank' };
      // The second Event gets a diagnosis late in its life, the third changes its text.
      if (uid === 'e2' && life > 3) return crash(said);
      return strange({ ...said, message: uid === 'e3' && life > 2 ? 'widget fell over' : `widget turned odd ${life} times` });
    };
    let expected: unknown;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(delivery, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (batches) => {
        const all = [...batches.flat(), ...['e1', 'e2', 'e3', 'e4'].map((uid) => ({ uid, life: 5 }))];
        const cluster = await intake.cluster(`any-order-${clusters++}`);
        for (const batch of batches) await push(cluster, batch.map(told));
        await push(cluster, all.slice(-4).map(told));
        await push(cluster, all.map(told));
        const found = await counted(cluster);
        expected ??= [
          { template: 'widget turned odd {number} times', namespace: 'bank', day: '2026-03-02', occurrences: 11, events: 1 },
          { template: 'widget turned odd {number} times', namespace: 'shop', day: '2026-03-02', occurrences: 11, events: 1 },
          { template: 'widget fell over', namespace: 'bank', day: '2026-03-02', occurrences: 11, events: 1 },
        ];
        const withoutHash = found.map(({ template, namespace, day, occurrences, events }) => ({
          template,
          namespace,
          day,
          occurrences,
          events,
        }));
        expect(withoutHash).toHaveLength(3);
        expect(withoutHash).toEqual(expect.arrayContaining(expected as unknown[]));
      }),
      { numRuns: 25 },
    );
  });

  it('counts Warnings, Normal failures and lines of logs that are not information', async () => {
    const cluster = await intake.cluster(`types-${clusters++}`);
    await push(cluster, [
      strange({ message: 'a warning' }),
      strange({ message: 'a failure', type: 'Normal', reason: 'SyncFailed' }),
      strange({ message: 'all is well', type: 'Normal', reason: 'Scheduled' }),
      strange({ message: 'of unknown type', type: '' }),
      strange({ message: 'I0305 12:00:00.000000       1 server.go:1] started', type: '' }),
      strange({ message: 'E0305 12:00:00.000000       1 server.go:1] broke', type: '' }),
    ]);
    const templates = (await counted(cluster)).map(({ template }) => template);
    expect(templates.sort()).toEqual(['a failure', 'a warning', 'broke', 'of unknown type']);
  });

  it('tells a limited number of patterns apart, and counts what comes after them together', async () => {
    const cluster = await intake.cluster(`full-${clusters++}`);
    const change = (...hashes: string[]) => ({
      patterns: hashes.map((hash) => ({ hash, kind: 'Pod', reporter: 'r', reason: 'x', template: `t ${hash}` })),
      cells: hashes.map((hash) => ({
        hash,
        namespace: 'shop',
        day: '2026-03-05',
        occurrences: 2,
        events: 1,
        firstAt: NOW,
        lastAt: NOW,
        sample: '{}',
      })),
      taken: [],
    });
    const count = (...hashes: string[]) =>
      intake.database.transaction((connection) => countUndiagnosed(connection, cluster, change(...hashes), 3));
    await count('a', 'b');
    const placed = await count('b', 'c', 'd', 'e');
    expect(placed.get('d')).toBe(placed.get('e'));
    await count('a', 'f');
    const found = await counted(cluster);
    expect(found.map(({ hash, occurrences }) => [hash, occurrences])).toEqual([
      ['', 6],
      ['a', 4],
      ['b', 4],
      ['c', 2],
    ]);
    // What was counted together is taken back from there.
    await intake.database.transaction((connection) =>
      countUndiagnosed(connection, cluster, {
        patterns: [],
        cells: [],
        taken: [{ patternId: placed.get('d')!, namespace: 'shop', day: '2026-03-05', occurrences: 2 }],
      }),
    );
    expect((await counted(cluster)).map(({ occurrences }) => occurrences)).toEqual([4, 4, 4, 2]);
  });

  it('is dropped when raw data is, which frees its place; what is heard of stays', async () => {
    const cluster = await intake.cluster(`old-${clusters++}`);
    await push(cluster, [
      strange({ uid: 'old', at: '2026-01-01T00:00:00Z', message: 'long ago' }),
      strange({ uid: 'new', at: '2026-03-05T00:00:00Z' }),
    ]);
    await intake.database.rows(`UPDATE undiagnosed_cell SET heard_on = day WHERE cluster_id = $1`, cluster);
    await repository.dropOld(30, new Date(NOW));
    expect((await counted(cluster)).map(({ template }) => template)).toEqual(['widget turned odd']);
    const [left] = await intake.database.rows('SELECT count(*)::integer AS count FROM undiagnosed_pattern WHERE cluster_id = $1', cluster);
    expect(left).toEqual({ count: 1 });
    // An Event that outlives what it was counted as is counted anew.
    await push(cluster, [strange({ uid: 'old', at: '2026-03-05T01:00:00Z', count: 4, message: 'long ago' })]);
    expect((await counted(cluster)).map(({ template, occurrences }) => [template, occurrences])).toEqual(
      expect.arrayContaining([['long ago', 4]]),
    );
  });

  it('is kept without secrets, and shown within the scope only', async () => {
    const cluster = await intake.cluster(`scoped-${clusters++}`);
    const [{ name }] = (await intake.database.rows<{ name: string }>('SELECT name FROM cluster WHERE id = $1', cluster)) as [
      { name: string },
    ];
    await push(cluster, [
      strange({ namespace: 'shop', count: 2, message: 'cannot log in with password=hunter2' }),
      strange({ namespace: 'bank', count: 5, message: 'cannot log in with password=letmein' }),
    ]);
    const [pattern] = await repository.patterns(EVERYTHING, { clusters: [name] }, 10);
    expect(pattern).toMatchObject({ template: 'cannot log in with password={secret}', occurrences: 7 });
    const shop = { clusters: null, namespaces: ['shop'] };
    const [own] = await repository.inClusters(shop, { clusters: [name] }, [pattern!.hash]);
    expect(own).toMatchObject({ occurrences: 2, events: 1, namespaces: ['shop'] });
    expect(JSON.stringify(await repository.inClusters(EVERYTHING, {}, [pattern!.hash]))).not.toMatch(/hunter2|letmein/);
    expect(await repository.patterns({ clusters: ['elsewhere'], namespaces: null }, {}, 10)).toEqual([]);
    expect(await repository.patterns({ clusters: null, namespaces: ['none'] }, {}, 10)).toEqual([]);
    expect(await repository.patterns(EVERYTHING, { clusters: [name], search: 'LOG IN' }, 10)).toHaveLength(1);
    expect(await repository.patterns(EVERYTHING, { clusters: [name], search: 'log_in' }, 10)).toEqual([]);
  });
});
