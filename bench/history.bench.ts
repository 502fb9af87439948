// errorCodeHistory and trend over GraphQL and HTTP, against the same questions asked of the raw sightings by SQL, and how both
// grow with the number of occurrences. Settings: SIZES (occurrences, separated by commas), ROUNDS.
import pg from 'pg';
import { bundledKnowledge } from '../test/support/bundled-knowledge.js';
import { startBenchDatabase } from './support/bench-database.js';
import { generateHistory } from './support/generate-history.js';
import { announce, demand, figure, median, setting } from './support/report.js';
import { Connection, startBenchService, type BenchService } from './support/service.js';

const SIZES = (process.env['SIZES'] ?? '100000,1000000').split(',').map(Number);
const ROUNDS = setting('ROUNDS', 15);
const START = '2026-06-01T00:00:00Z';
const END = '2026-08-30T00:00:00Z';
const DAYS = 90;
// The history lies where it lies, whatever day it is: the service is not to drop it.
process.env['CASEBOOK_RETENTION_DAYS'] = '3650';

interface Point {
  from: string;
  occurrences: number;
}
interface Answered {
  history: { clusters: { cluster: string; buckets: Point[] }[] };
  trend: { groups: { key: [{ value: string }]; points: Point[] }[] };
}

const HISTORY = `query ($code: String!, $from: DateTime, $to: DateTime, $zone: String) {
  history: errorCodeHistory(code: $code, from: $from, to: $to, timeZone: $zone) { clusters { cluster buckets { from occurrences } } } }`;
const TREND = `query ($from: DateTime, $to: DateTime, $zone: String) {
  trend(groupBy: [CLUSTER], first: 100, from: $from, to: $to, timeZone: $zone) { groups { key { value } points { from occurrences } } } }`;
const RAW = `SELECT c.name, date_trunc('day', s.at, 'UTC') AS day, sum(s.growth)::float8 AS occurrences
  FROM sighting s JOIN affected a ON a.id = s.affected_id JOIN cluster c ON c.id = s.cluster_id
  WHERE s.at >= $1 AND s.at < $2 AND ($3::text[] IS NULL OR a.problem_id = ANY($3)) GROUP BY 1, 2`;

announce(`history: ${SIZES.map((size) => size.toLocaleString('en')).join(' and ')} occurrences in 50 clusters over ${DAYS} days`);
const { knowledge } = await bundledKnowledge();
const coded = knowledge.problems.filter(({ code }) => code);
const { code } = coded[0]!;
const ofCode = knowledge.problems.filter((problem) => problem.code === code).map(({ id }) => id);
const others = knowledge.problems.filter((problem) => problem.code !== code).map(({ id }) => id);
// The problems of the code come first, and so are among the most frequent; 400 in all.
const problems = [...ofCode, ...others, ...Array.from({ length: 400 }, (_, i) => `kubernetes/bench/problem-${i}`)].slice(0, 400);

const times: Record<string, number[]> = {};
for (const size of SIZES) await measure(size);
if (SIZES.length > 1)
  for (const [name, of] of Object.entries(times)) figure(`${name}, growth`, `${(of.at(-1)! / of[0]!).toFixed(2)} times`);

async function measure(size: number): Promise<void> {
  const database = await startBenchDatabase();
  const client = new pg.Client({ connectionString: database.url });
  let service: BenchService | undefined;
  try {
    await client.connect();
    const began = performance.now();
    await generateHistory(client, { occurrences: size, clusters: 50, days: DAYS, problems, start: START });
    figure(`${size.toLocaleString('en')} occurrences`, `made in ${Math.round((performance.now() - began) / 1000)} s`);
    service = await startBenchService(database.url);
    const connection = new Connection(service.url);
    const range = { from: START, to: END };
    const history = (zone: string): Promise<Answered> => connection.ask<Answered>(HISTORY, { code, zone, ...range });
    const trend = (zone: string): Promise<Answered> => connection.ask<Answered>(TREND, { zone, ...range });
    const raw = async (problem: string[] | null): Promise<string[]> =>
      (await client.query<{ name: string; day: Date; occurrences: number }>(RAW, [START, END, problem])).rows
        .map(({ name, day, occurrences }) => `${name} ${day.toISOString()} ${occurrences}`)
        .sort();
    const shown = (list: { name: string; points: Point[] }[]): string[] =>
      list
        .flatMap(({ name, points }) =>
          points.filter((point) => point.occurrences > 0).map((point) => `${name} ${point.from} ${point.occurrences}`),
        )
        .sort();

    const byCode = shown((await history('UTC')).history.clusters.map(({ cluster, buckets }) => ({ name: cluster, points: buckets })));
    const byCluster = shown((await trend('UTC')).trend.groups.map(({ key, points }) => ({ name: key[0].value, points })));
    demand(JSON.stringify(byCode) === JSON.stringify(await raw(ofCode)), 'errorCodeHistory is not what the sightings say');
    demand(JSON.stringify(byCluster) === JSON.stringify(await raw(null)), 'trend is not what the sightings say');
    figure('answers', `equal: ${byCode.length} and ${byCluster.length} cells`);

    await compare(
      size,
      'errorCodeHistory',
      () => history('UTC'),
      () => raw(ofCode),
    );
    await compare(size, 'errorCodeHistory, Berlin', () => history('Europe/Berlin'), undefined);
    await compare(
      size,
      'trend by cluster',
      () => trend('UTC'),
      () => raw(null),
    );
    await compare(size, 'trend by cluster, India', () => trend('Asia/Kolkata'), undefined);
    await compare(
      size,
      'trend by problem',
      () => connection.ask(TREND.replace('CLUSTER', 'PROBLEM'), { zone: 'UTC', ...range }),
      undefined,
    );
    connection.close();
  } finally {
    await service?.stop();
    await client.end();
    await database.stop();
  }
}

async function compare(size: number, name: string, ask: () => Promise<unknown>, raw: (() => Promise<unknown>) | undefined): Promise<void> {
  const own = await timed(ask, ROUNDS);
  const theirs = raw && (await timed(raw, 3));
  (times[name] ??= []).push(own);
  figure(
    `${name}, ${size / 1e6} million`,
    `${own.toFixed(1)} ms${theirs ? `; raw ${theirs.toFixed(0)} ms, ${(theirs / own).toFixed(0)} times` : ''}`,
  );
}

async function timed(ask: () => Promise<unknown>, rounds: number): Promise<number> {
  await ask();
  const all: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await ask();
    all.push(performance.now() - start);
  }
  return median(all);
}
