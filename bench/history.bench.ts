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
// Whole days of the zone, as the answers have them.
const rawBy = (name: string): string => `SELECT ${name} AS name, date_trunc('day', s.at, $4) AS day, sum(s.growth)::float8 AS occurrences
  FROM sighting s JOIN affected a ON a.id = s.affected_id JOIN cluster c ON c.id = s.cluster_id
  WHERE s.at >= date_trunc('day', $1::timestamptz, $4) AND s.at < date_trunc('day', $2::timestamptz - interval '1 microsecond', $4) + interval '24 hours'
    AND ($3::text[] IS NULL OR a.problem_id = ANY($3)) GROUP BY 1, 2`;
const RAW = rawBy('c.name');
/** How often a question is asked before it is timed, so that the service has compiled its code for it. */
const WARM = 30;

const PAGE = 20;
const DEEP = 500;
// Three namespaces of four, so that a filter has something to do and 500 pages are left.
const NAMESPACES = Array.from({ length: 15 }, (_, i) => `ns-${i}`);
const INCIDENTS = `query ($namespaces: [String!], $first: Int, $after: String) {
  incidents(filter: { namespaces: $namespaces, severities: [ERROR] }, first: $first, after: $after) {
    pageInfo { endCursor } nodes { id lastSeenAt occurrences subject { kind namespace name } } } }`;
const RAW_INCIDENTS = `SELECT a.incident_id AS id, max(s.at) AS at, sum(s.growth)::float8 AS occurrences
  FROM sighting s JOIN affected a ON a.id = s.affected_id JOIN incident i ON i.id = a.incident_id
  WHERE a.namespace = ANY($1) AND i.severity = 'error' GROUP BY 1 ORDER BY 2 DESC, 1 DESC LIMIT $2 OFFSET $3`;

interface Page {
  incidents: { pageInfo: { endCursor: string }; nodes: { id: string; occurrences: number }[] };
}

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
    const trend = (zone: string, by = 'CLUSTER'): Promise<Answered> =>
      connection.ask<Answered>(TREND.replace('CLUSTER', by), { zone, ...range });
    const raw = async (problem: string[] | null, zone = 'UTC', sql = RAW): Promise<string[]> =>
      (await client.query<{ name: string; day: Date; occurrences: number }>(sql, [START, END, problem, zone])).rows
        .map(({ name, day, occurrences }) => `${name} ${day.toISOString()} ${occurrences}`)
        .sort();
    const shown = (list: { name: string; points: Point[] }[]): string[] =>
      list
        .flatMap(({ name, points }) =>
          points.filter((point) => point.occurrences > 0).map((point) => `${name} ${point.from} ${point.occurrences}`),
        )
        .sort();
    const ofHistory = ({ history: told }: Answered): string[] =>
      shown(told.clusters.map(({ cluster, buckets }) => ({ name: cluster, points: buckets })));
    const ofTrend = ({ trend: told }: Answered): string[] => shown(told.groups.map(({ key, points }) => ({ name: key[0].value, points })));

    let cells = 0;
    for (const zone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata']) {
      const [byCode, byCluster, byProblem] = [
        ofHistory(await history(zone)),
        ofTrend(await trend(zone)),
        ofTrend(await trend(zone, 'PROBLEM')),
      ];
      demand(
        JSON.stringify(byCode) === JSON.stringify(await raw(ofCode, zone)),
        `errorCodeHistory in ${zone} is not what the sightings say`,
      );
      demand(JSON.stringify(byCluster) === JSON.stringify(await raw(null, zone)), `trend in ${zone} is not what the sightings say`);
      // Only the first hundred problems are shown.
      const named = new Set(byProblem.map((line) => line.split(' ')[0]));
      const rawByProblem = (await raw(null, zone, rawBy('a.problem_id'))).filter((line) => named.has(line.split(' ')[0]));
      demand(JSON.stringify(byProblem) === JSON.stringify(rawByProblem), `trend by problem in ${zone} is not what the sightings say`);
      cells += byCode.length + byCluster.length + byProblem.length;
    }
    figure('answers', `equal: ${cells} cells`);

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
      () => trend('UTC', 'PROBLEM'),
      () => raw(null, 'UTC', rawBy('a.problem_id')),
    );
    await compare(size, 'trend by problem, India', () => trend('Asia/Kolkata', 'PROBLEM'), undefined);
    await pages(size, connection, client);
    connection.close();
  } finally {
    await service?.stop();
    await client.end();
    await database.stop();
  }
}

/** The first and the 500th page of a filtered list of incidents. */
async function pages(size: number, connection: Connection, client: pg.Client): Promise<void> {
  const page = (after: string | null, first = PAGE): Promise<Page> =>
    connection.ask<Page>(INCIDENTS, { namespaces: NAMESPACES, first, after });
  const raw = async (number: number): Promise<string[]> =>
    (await client.query<{ id: string; occurrences: number }>(RAW_INCIDENTS, [NAMESPACES, PAGE, (number - 1) * PAGE])).rows.map(
      ({ id, occurrences }) => `${id} ${occurrences}`,
    );
  const shown = ({ incidents }: Page): string[] => incidents.nodes.map(({ id, occurrences }) => `${id} ${occurrences}`);
  let after: string | null = null;
  for (let read = 0; read < (DEEP - 1) * PAGE; read += 10 * PAGE - (read === 0 ? PAGE : 0)) {
    after = (await page(after, Math.min(200, read === 0 ? 9 * PAGE : 10 * PAGE))).incidents.pageInfo.endCursor;
    if (after === null) break;
  }
  const deep = after;
  demand(JSON.stringify(shown(await page(null))) === JSON.stringify(await raw(1)), 'the first page is not what the sightings say');
  await compare(
    size,
    'incidents, page 1',
    () => page(null),
    () => raw(1),
  );
  // A small database has fewer pages.
  if (deep === null) return;
  demand(JSON.stringify(shown(await page(deep))) === JSON.stringify(await raw(DEEP)), 'the 500th page is not what the sightings say');
  await compare(
    size,
    `incidents, page ${DEEP}`,
    () => page(deep),
    () => raw(DEEP),
  );
}

async function compare(size: number, name: string, ask: () => Promise<unknown>, raw: (() => Promise<unknown>) | undefined): Promise<void> {
  const own = await timed(ask, ROUNDS, WARM);
  const theirs = raw && (await timed(raw, 3, 1));
  (times[name] ??= []).push(own);
  figure(
    `${name}, ${size / 1e6} million`,
    `${own.toFixed(1)} ms${theirs ? `; raw ${theirs.toFixed(0)} ms, ${(theirs / own).toFixed(0)} times` : ''}`,
  );
}

async function timed(ask: () => Promise<unknown>, rounds: number, warm: number): Promise<number> {
  for (let i = 0; i < warm; i++) await ask();
  const all: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await ask();
    all.push(performance.now() - start);
  }
  return median(all);
}
