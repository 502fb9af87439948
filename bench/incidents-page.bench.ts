// A page of 20 incidents with problem and cluster over GraphQL and HTTP, against one hand-written SQL over pg for the same
// rows. Settings: INCIDENTS, REQUESTS.
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { bundledKnowledge } from '../test/support/bundled-knowledge.js';
import { startBenchDatabase } from './support/bench-database.js';
import { announce, demand, figure, median, setting } from './support/report.js';
import { Connection, startBenchService, type BenchService } from './support/service.js';

const INCIDENTS = setting('INCIDENTS', 20_000);
const REQUESTS = setting('REQUESTS', 300);
const BLOCKS = 7;
const CLUSTERS = 20;

const QUERY = `query ($after: String, $filter: IncidentFilter) { incidents(first: 20, after: $after, filter: $filter) {
  nodes { id status severity occurrences firstSeenAt lastSeenAt resolvedAt subject { kind namespace name }
    problem { id title(locale: EN) severity } cluster { name provider } }
  pageInfo { hasNextPage endCursor } } }`;

/** The same page, as one would write it by hand: one statement, problems in a table, one row more to know if there is a next page. */
const SQL = `SELECT i.id, upper(i.status) AS status, upper(i.severity) AS severity, i.occurrences::int AS occurrences, i.first_seen_at, i.last_seen_at, i.resolved_at,
    i.subject_kind, i.subject_namespace, i.subject_name, p.id AS problem_id, p.title, upper(p.severity) AS problem_severity, c.name, upper(c.provider) AS provider
  FROM incident i JOIN cluster c ON c.id = i.cluster_id JOIN bench_problem p ON p.id = i.problem_id
  WHERE ($1::timestamptz IS NULL OR (i.last_seen_at, i.id) < ($1, $2::uuid))
  ORDER BY i.last_seen_at DESC, i.id DESC LIMIT 21`;

interface Node {
  id: string;
  lastSeenAt: string;
  [field: string]: unknown;
}
interface Page {
  incidents: { nodes: Node[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
}

announce(`incidents-page: a page of 20 among ${INCIDENTS.toLocaleString('en')} incidents`);
const database = await startBenchDatabase();
const client = new pg.Client({ connectionString: database.url });
let service: BenchService | undefined;
try {
  await client.connect();
  await fill();
  service = await startBenchService(database.url);
  const connection = new Connection(service.url);
  await compare(connection);
  const times = { graphql: [] as number[], sql: [] as number[] };
  for (let block = -1; block < BLOCKS; block++) {
    const graphql = await measure(async () => (await connection.ask<Page>(QUERY)).incidents.nodes.length);
    const sql = await measure(async () => (await bySql(null)).nodes.length);
    if (block < 0) continue;
    times.graphql.push(graphql);
    times.sql.push(sql);
  }
  const [graphql, sql] = [median(times.graphql), median(times.sql)];
  figure('GraphQL over HTTP', `${graphql.toFixed(2)} ms a page, ${Math.round(1000 / graphql)} pages/s on one connection`);
  figure('one SQL over pg', `${sql.toFixed(2)} ms a page, ${Math.round(1000 / sql)} pages/s on one connection`);
  figure('ratio', `${(sql / graphql).toFixed(3)} of the speed of SQL`);
  connection.close();
} finally {
  await service?.stop();
  await client.end();
  await database.stop();
}

/** Incidents of all bundled problems in 20 clusters, 60 % of them resolved, and the problems as a table. */
async function fill(): Promise<void> {
  const { knowledge } = await bundledKnowledge();
  const problems = knowledge.problems.map(({ id, title, severity, provider, code }) => ({
    id,
    title: title.en,
    severity,
    provider,
    code: code ?? null,
  }));
  await client.query(
    'CREATE TABLE bench_problem (number serial, id text PRIMARY KEY, title text, severity text, provider text, code text)',
  );
  await client.query(
    `INSERT INTO bench_problem (id, title, severity, provider, code)
     SELECT * FROM json_to_recordset($1::json) AS p(id text, title text, severity text, provider text, code text)`,
    [JSON.stringify(problems)],
  );
  await client.query(
    `INSERT INTO cluster (name, provider) SELECT 'bench-' || n, (ARRAY['kubernetes', 'tke', 'ack'])[1 + n % 3] FROM generate_series(1, ${CLUSTERS}) n`,
  );
  await client.query(
    `INSERT INTO incident (cluster_id, problem_id, subject_key, subject_kind, subject_namespace, subject_name, subject_rank, provider, code, severity, status,
       occurrences, affected_count, open_count, first_seen_at, last_seen_at, resolved_at, resolved_by, diagnosis, diagnosis_order)
     SELECT c.id, p.id, 'workload/team-' || n % 40 || '/app-' || n, 'Deployment', 'team-' || n % 40, 'app-' || n, 2, p.provider, p.code, p.severity,
       CASE WHEN n % 5 < 3 THEN 'resolved' ELSE 'open' END, 1 + n % 500, 1, (n % 5 >= 3)::int, t.at - interval '1 hour', t.at,
       CASE WHEN n % 5 < 3 THEN t.at + interval '5 minutes' END, CASE WHEN n % 5 < 3 THEN 'QUIET' END,
       jsonb_build_object('problem', p.id, 'confidence', 0.9, 'matchedOn', 'text', 'captured', '{}'::jsonb), '0'
     FROM generate_series(1, ${INCIDENTS}) n
       CROSS JOIN LATERAL (SELECT timestamptz '2026-03-01' - n * 37 % 1000003 * interval '1 second' AS at) t
       JOIN bench_problem p ON p.number = 1 + n % (SELECT count(*) FROM bench_problem) JOIN cluster c ON c.name = 'bench-' || 1 + n % ${CLUSTERS}`,
  );
  await client.query('ANALYZE');
}

async function bySql(after: Node | null): Promise<{ nodes: Node[]; hasNextPage: boolean }> {
  const { rows } = await client.query({ name: 'page', text: SQL, values: [after?.lastSeenAt ?? null, after?.id ?? null] });
  return { nodes: rows.slice(0, 20).map(toNode), hasNextPage: rows.length > 20 };
}

function toNode(row: Record<string, unknown>): Node {
  const time = (at: unknown): string => (at === null ? null : (at as Date).toISOString()) as string;
  return {
    id: row.id as string,
    status: row.status,
    severity: row.severity,
    occurrences: row.occurrences,
    firstSeenAt: time(row.first_seen_at),
    lastSeenAt: time(row.last_seen_at),
    resolvedAt: time(row.resolved_at),
    subject: { kind: row.subject_kind, namespace: row.subject_namespace, name: row.subject_name },
    problem: { id: row.problem_id, title: row.title, severity: row.problem_severity },
    cluster: { name: row.name, provider: row.provider },
  };
}

/** The first fifty pages are the same, row for row, each reached by the cursor of the one before. */
async function compare(connection: Connection): Promise<void> {
  let cursor: string | null = null;
  let last: Node | null = null;
  for (let page = 0; page < 50; page++) {
    const { incidents }: Page = await connection.ask<Page>(QUERY, { after: cursor });
    const own = await bySql(last);
    demand(
      isDeepStrictEqual(incidents.nodes, own.nodes),
      `page ${page} differs: ${JSON.stringify(incidents.nodes[0])} and ${JSON.stringify(own.nodes[0])}`,
    );
    demand(incidents.pageInfo.hasNextPage === own.hasNextPage, `page ${page} does not know whether there is a next one`);
    cursor = incidents.pageInfo.endCursor;
    last = own.nodes.at(-1) ?? null;
  }
  figure('answers', '50 pages of 20 are equal, row for row');
}

async function measure(ask: () => Promise<number>): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < REQUESTS; i++) demand((await ask()) === 20, 'a page has not 20 rows');
  return (performance.now() - start) / REQUESTS;
}
