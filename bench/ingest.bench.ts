// Events a second that are answered 200 over HTTP, which means diagnosed and committed, against COPY of the same bytes
// into one table on the same server. Settings: EVENTS, CLUSTERS, CONNECTIONS, LIST (events of one post).
import pg from 'pg';
import { seededRandom } from '../test/support/seeded-random.js';
import { startBenchDatabase } from './support/bench-database.js';
import { copyInto } from './support/copy-into.js';
import type { EventStream } from './support/make-events.js';
import { makeStream } from './support/make-events.js';
import { announce, demand, figure, setting } from './support/report.js';
import { Connection, startBenchService, type BenchService } from './support/service.js';

const EVENTS = setting('EVENTS', 50_000);
const CLUSTERS = setting('CLUSTERS', 4);
const CONNECTIONS = setting('CONNECTIONS', 8);
const LIST = setting('LIST', 500);
const WARM_UP = 4_000;

interface Answer {
  accepted: number;
  merged: number;
  rejected: unknown[];
}

announce('ingest: durable events over HTTP against COPY');
const random = seededRandom(20_261_120);
const now = Date.now();
const streams = Array.from({ length: CONNECTIONS }, (_, i) => makeStream(random, Math.floor(EVENTS / CONNECTIONS), `s${i}`, now));
const total = streams.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
const lists = streams.map(listsOf);
const bytes = lists.flat().reduce((sum, body) => sum + body.length, 0);
const rows = streams.flatMap(({ deliveries }) => deliveries.map((event) => ({ uid: event.metadata.uid, body: JSON.stringify(event) })));
const expected = streams.map((stream) => stream.expected);
for (const stream of streams) stream.deliveries = [];

const database = await startBenchDatabase();
const client = new pg.Client({ connectionString: database.url });
let service: BenchService | undefined;
try {
  await client.connect();
  service = await startBenchService(database.url);
  const { url } = service;
  const connections = streams.map(() => new Connection(url));
  const register = 'mutation ($name: String!) { registerCluster(input: { name: $name }) { cluster { name } } }';
  for (const name of ['warm-up', ...Array.from({ length: CLUSTERS }, (_, i) => `bench-${i}`)])
    await connections[0]!.ask(register, { name });
  for (const body of listsOf(makeStream(random, WARM_UP, 'warm', now))) await connections[0]!.post('/v1/clusters/warm-up/events', body);
  await copyInto(client, 'warm_up', 'text', rows.slice(0, WARM_UP));

  const copied = await copyInto(client, 'copied_before', 'text', rows);
  const start = performance.now();
  const answers = await Promise.all(connections.map((connection, i) => send(connection, `bench-${i % CLUSTERS}`, lists[i]!)));
  const seconds = (performance.now() - start) / 1000;
  const copiedAgain = await copyInto(client, 'copied_after', 'text', rows);
  const copiedJson = await copyInto(client, 'copied_jsonb', 'jsonb', rows);
  for (const connection of connections) connection.close();

  await check(answers.flat());
  const copy = (copied + copiedAgain) / 2;
  const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString('en')} events/s`;
  figure('events', `${total} of ${Math.round(bytes / total)} bytes, ${LIST} a post, ${CONNECTIONS} connections, ${CLUSTERS} clusters`);
  figure('COPY into (uid text, body text)', `${rate(total / copied)} before, ${rate(total / copiedAgain)} after`);
  figure('COPY into (uid text, body jsonb)', rate(total / copiedJson));
  figure('answered 200', `${rate(total / seconds)}, ${seconds.toFixed(1)} s`);
  figure('ratio to COPY of text', (copy / seconds).toFixed(3));
  figure('ratio to COPY of jsonb', (copiedJson / seconds).toFixed(3));
} finally {
  await client.end();
  await service?.stop();
  await database.stop();
}

function listsOf({ deliveries }: EventStream): Buffer[] {
  const bodies: Buffer[] = [];
  for (let from = 0; from < deliveries.length; from += LIST) {
    bodies.push(Buffer.from(JSON.stringify({ kind: 'List', apiVersion: 'v1', metadata: {}, items: deliveries.slice(from, from + LIST) })));
  }
  return bodies;
}

async function send(connection: Connection, cluster: string, bodies: readonly Buffer[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const body of bodies) answers.push(await connection.post<Answer>(`/v1/clusters/${cluster}/events`, body));
  return answers;
}

/** Every count in the answers and in the database is what the maker of the events says. */
async function check(answers: readonly Answer[]): Promise<void> {
  const sum = (of: (one: (typeof expected)[number]) => number): number => expected.reduce((result, one) => result + of(one), 0);
  const accepted = answers.reduce((result, answer) => result + answer.accepted, 0);
  const merged = answers.reduce((result, answer) => result + answer.merged, 0);
  const wanted = {
    accepted: sum((one) => one.accepted),
    merged: total - sum((one) => one.accepted),
    rejected: 0,
    events: sum((one) => one.events),
    keys: sum((one) => one.events),
    incidents: sum((one) => one.incidents.size),
    occurrences: sum((one) => one.occurrences),
    happenings: sum((one) => one.occurrences),
    rolledUp: sum((one) => one.occurrences),
  };
  const { rows: found } = await client.query<Record<string, number>>(
    `WITH c AS (SELECT id FROM cluster WHERE name LIKE 'bench-%')
     SELECT (SELECT count(*)::int FROM event WHERE cluster_id IN (SELECT id FROM c)) AS events,
       (SELECT count(*)::int FROM event_key WHERE cluster_id IN (SELECT id FROM c)) AS keys,
       (SELECT count(*)::int FROM incident WHERE cluster_id IN (SELECT id FROM c)) AS incidents,
       (SELECT sum(occurrences)::int FROM incident WHERE cluster_id IN (SELECT id FROM c)) AS occurrences,
       (SELECT sum(count)::int FROM event WHERE problem_id IS NOT NULL AND cluster_id IN (SELECT id FROM c)) AS happenings,
       (SELECT sum(occurrences)::int FROM rollup_namespace_problem WHERE minutes = 15 AND cluster_id IN (SELECT id FROM c)) AS "rolledUp"`,
  );
  const rejected = answers.reduce((result, answer) => result + answer.rejected.length, 0);
  const got: Record<string, number> = { accepted, merged, rejected, ...found[0] };
  for (const [name, value] of Object.entries(wanted)) demand(got[name] === value, `${name}: ${got[name]} instead of ${value}`);
  figure(
    'counts in answers and database',
    `right: ${wanted.events} events, ${wanted.occurrences} occurrences, ${wanted.incidents} incidents`,
  );
}
