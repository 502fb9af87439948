import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { Clock } from '../../src/platform/clock.js';
import { Database } from '../../src/store/database.service.js';
import type { BusyCasebook } from '../support/busy-casebook.js';
import { startBusyCasebook } from '../support/busy-casebook.js';
import type { DashboardPanel } from '../support/dashboard.js';
import { dashboard, queriesOf } from '../support/dashboard.js';
import { readPromql } from '../support/promql.js';
import type { ServedMetric } from '../support/read-metrics.js';
import { readMetrics } from '../support/read-metrics.js';
import { ADMIN_TOKEN } from '../support/start-casebook.js';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: Record<string, string>;
}

const RULES = 'deploy/prometheus/casebook-rules.yaml';
const [rulesText, documentation, alerts] = await Promise.all(
  [RULES, 'docs/metrics.md', 'docs/alerts.md'].map((file) => readFile(file, 'utf8')),
);
const rules = (parse(rulesText!) as { groups: { name: string; rules: Rule[] }[] }).groups.flatMap((group) => group.rules);
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const queries = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr, legend: '' })),
  ...panels.flatMap((panel) => queriesOf(panel).map(({ expr, legendFormat }) => ({ where: panel.title, expr, legend: legendFormat }))),
];

/** Rows of the table of all metrics, and of the table of labels. */
const rows = documentation!
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
const documented = new Map(rows.filter((row) => row.length === 8).map((row) => [row[1]!.slice(1, -1), row]));
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
const knownValues = new Set(rows.filter((row) => row.length === 4).flatMap((row) => namesIn(row[2]!)));

let busy: BusyCasebook;
let served: Map<string, ServedMetric>;
/** Every name that can be asked for, with the type of what is behind it and its labels. */
let series: Map<string, { type: string; labels: ReadonlyMap<string, ReadonlySet<string>> }>;

beforeAll(async () => {
  busy = await startBusyCasebook();
  served = readMetrics(await busy.metrics());
  const own = { type: 'gauge', labels: new Map() };
  series = new Map([['up', own]]);
  for (const [name, { type, labels }] of served) {
    if (type !== 'histogram') series.set(name, { type, labels });
    else for (const part of ['bucket', 'sum', 'count']) series.set(`${name}_${part}`, { type: part, labels });
  }
});
afterAll(() => busy?.stop());

const value = (name: string, labels: Record<string, string> = {}): number | undefined =>
  served
    .get(name.replace(/_(count|sum)$/, ''))
    ?.samples.find((sample) => sample.name === name && Object.entries(labels).every(([label, set]) => sample.labels[label] === set))?.value;

describe('the table in docs/metrics.md', () => {
  it('has every metric that is served, and no other', () => {
    const expected = [...documented]
      .filter(([, row]) => process.platform === 'linux' || !row[6]!.includes('Linux only'))
      .map(([name]) => name);
    expect([...served.keys()].toSorted()).toEqual(expected.toSorted());
  });

  it('has their types and their labels', () => {
    for (const [name, { type, labels, samples }] of served) {
      const row = documented.get(name)!;
      expect([name, row[2]]).toEqual([name, type]);
      // Of some there is nothing to tell at the moment, such as requests to the system that are under way.
      if (samples.length > 0) expect([name, namesIn(row[3]!).toSorted()]).toEqual([name, [...labels.keys()].toSorted()]);
    }
    expect([...served].filter(([name, { samples }]) => samples.length === 0 && name.startsWith('casebook_'))).toEqual([]);
  });

  it('names them as Prometheus wants it: a unit, and _total for what only grows', () => {
    for (const [name, { type }] of served) {
      if (!name.startsWith('casebook_')) continue;
      expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|kb|mb|percent)(_|$)/);
      expect(documented.get(name)![5]).toMatch(/^(process|database)$/);
    }
  });

  it('has every label that clusters can make many of', () => {
    const labels = new Set([...served].flatMap(([, metric]) => [...metric.labels.keys()]));
    const told = new Set(rows.filter((row) => row.length === 4).flatMap((row) => namesIn(row[1]!)));
    expect([...labels].filter((label) => !told.has(label) && !['major', 'minor', 'patch'].includes(label))).toEqual([]);
  });
});

describe('the metrics of a service', () => {
  it('tell what events showed, and what is open, as the API does', async () => {
    const { data } = await busy.casebook.graphql(
      '{ incidents(filter: { clusters: ["prod"], severities: [ERROR] }, first: 1) { totalCount } }',
    );
    expect(value('casebook_incidents_open', { cluster: 'prod', severity: 'error' })).toBe(data['incidents'].totalCount);
    expect(value('casebook_incidents_open', { cluster: 'prod', severity: 'info' })).toBe(0);
    // Two rounds, each twice: what is only repeated does not count again.
    expect(value('casebook_intake_diagnoses_total', { diagnosis: 'undiagnosed' })).toBe(2);
    expect(value('casebook_intake_events_total', { cluster: 'prod', result: 'merged' })).toBe(8);
    expect(value('casebook_knowledge_problems')).toBe(5);
    expect(value('casebook_cluster_watch_up', { cluster: 'watched' })).toBe(1);
    expect(value('casebook_cluster_watch_up', { cluster: 'unreachable' })).toBe(0);
    expect(value('casebook_cluster_watch_up', { cluster: 'prod' })).toBeUndefined();
  });

  it('tell how long batches took, part by part', () => {
    const batches = value('casebook_intake_batch_events_count')!;
    expect(batches).toBeGreaterThan(4);
    expect(value('casebook_intake_match_duration_seconds_count')).toBe(batches);
    expect(value('casebook_intake_commit_duration_seconds_count', { result: 'stored' })).toBe(batches);
    expect(value('casebook_intake_commit_duration_seconds_sum', { result: 'stored' })).toBeGreaterThan(0);
    expect(value('casebook_database_transaction_duration_seconds_count', { result: 'committed' })).toBeGreaterThanOrEqual(batches);
  });

  it('tell requests by their route, and leave streams out', () => {
    const routes = served.get('casebook_http_request_duration_seconds')!.labels.get('route')!;
    expect([...routes]).toEqual(expect.arrayContaining(['/v1/clusters/:cluster/events', '/graphql', 'none']));
    expect([...routes]).not.toContain('/v1/incidents/changes');
    expect(value('casebook_http_request_duration_seconds_count', { route: 'none', status: '4xx', method: 'GET' })).toBe(2);
    expect(value('casebook_graphql_errors_total', { code: 'BAD_INPUT' })).toBe(2);
  });

  it('are told while all connections to the database are taken, but for what is looked up in it', async () => {
    const { pool } = busy.casebook.app.get(Database);
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const waiting = pool.connect();
    // What was looked up before is too old by then.
    const clock = vi.spyOn(busy.casebook.app.get(Clock), 'now').mockReturnValue(Date.now() + 60_000);
    const { status, body } = await busy.casebook.send('GET', '/metrics', { token: ADMIN_TOKEN });
    clock.mockRestore();
    for (const client of taken) client.release();
    (await waiting).release();
    expect(status).toBe(200);
    const metrics = readMetrics(body as string);
    const gauge = (name: string, labels: object): number =>
      metrics.get(name)!.samples.find((sample) => Object.entries(labels).every(([label, set]) => sample.labels[label] === set))!.value;
    expect(gauge('casebook_database_connections', { pool: 'work', state: 'used' })).toBe(taken.length);
    expect(gauge('casebook_database_waiting', { pool: 'work' })).toBeGreaterThanOrEqual(1);
    expect(metrics.get('casebook_cluster_silent')!.samples).toEqual([]);
    expect(gauge('casebook_webhook_outbox', {})).toBeNaN();
  });
});

describe('the queries of the dashboard and the rules', () => {
  it('are all there, and each is PromQL', () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(queries.length).toBeGreaterThan(80);
    for (const { expr } of queries) expect(readPromql(expr).length, expr).toBeGreaterThan(0);
  });

  it('ask for metrics and labels that a service serves, and for values that there are', () => {
    const wrong: string[] = [];
    for (const { where, expr, legend } of queries) {
      const selectors = readPromql(expr);
      for (const { name, matchers, groupings } of selectors) {
        const found = series.get(name);
        if (!found) {
          wrong.push(`${where}: there is no ${name}`);
          continue;
        }
        const known = (label: string): boolean =>
          ['job', 'instance'].includes(label) || found.labels.has(label) || (label === 'le' && found.type === 'bucket');
        for (const { label, values } of matchers) {
          if (!known(label)) wrong.push(`${where}: ${name} has no label ${label}`);
          for (const each of values) {
            if (label === 'job' || each === '.*' || found.labels.get(label)?.has(each) || knownValues.has(each)) continue;
            wrong.push(`${where}: ${label} of ${name} is never ${each}`);
          }
        }
        for (const label of groupings.flatMap((grouping) => grouping ?? [])) {
          if (!known(label)) wrong.push(`${where}: ${name} has no label ${label} to group by`);
        }
      }
      for (const [, label] of legend.matchAll(/\{\{(\w+)\}\}/g)) {
        const shown = selectors.some(({ name, groupings }) =>
          groupings.length > 0
            ? groupings.at(-1)?.includes(label!) || groupings[0]?.includes(label!)
            : label === 'instance' || series.get(name)?.labels.has(label!),
        );
        if (!shown) wrong.push(`${where}: the legend shows ${label}, which the query does not leave`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('take rates of counters only, differences of gauges only, and quantiles of buckets by le', () => {
    const wrong: string[] = [];
    for (const { where, expr } of queries) {
      for (const { name, functions, groupings } of readPromql(expr)) {
        const { type } = series.get(name)!;
        const rate = functions.find((each) => /^(rate|irate|increase|delta|deriv)$/.test(each));
        const grows = type !== 'gauge';
        if (rate && grows !== /rate|increase/.test(rate)) wrong.push(`${where}: ${rate} of ${name}, a ${type}`);
        if (grows && !rate) wrong.push(`${where}: ${name} only grows, and no rate of it is taken`);
        if (functions.includes('histogram_quantile') !== (type === 'bucket')) wrong.push(`${where}: ${name} and histogram_quantile`);
        if (type === 'bucket' && !groupings.every((grouping) => grouping?.includes('le'))) wrong.push(`${where}: ${name} has lost le`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('take the largest of what every replica tells alike, never the sum', () => {
    const alike = (name: string): boolean => documented.get(name)?.[5] === 'database';
    for (const { where, expr } of queries) {
      if (!readPromql(expr).some(({ name }) => alike(name))) continue;
      const innermost = [
        ...expr.matchAll(/(\w+)(?: by \([\w, ]+\))? \((?:delta\()?(casebook_\w+)/g),
        ...expr.matchAll(/(\w+)\((?:delta\()?(casebook_\w+)/g),
      ];
      for (const [, operator, name] of innermost)
        if (alike(name!)) expect([where, name, operator]).toEqual([where, name, expect.stringMatching(/^(max|min|delta)$/)]);
    }
  });
});

describe('the alerts', () => {
  it('say what is wrong, how bad it is, and where it is told what to do', () => {
    const headings = [...alerts!.matchAll(/^## (\w+)$/gm)].map(([, heading]) => heading);
    expect(rules.map(({ alert }) => alert)).toEqual(headings);
    for (const { alert, labels, annotations } of rules) {
      expect(alert).toMatch(/^Casebook[A-Z]/);
      expect(labels).toEqual({ severity: expect.stringMatching(/^(critical|warning)$/) });
      expect(annotations).toEqual({
        summary: expect.stringMatching(/^[A-Z].{10,}[^.]$/),
        description: expect.stringMatching(/.{20,}[.]$/),
        runbook: `docs/alerts.md#${alert.toLowerCase()}`,
      });
    }
  });

  it('name only labels in their words that their queries leave', () => {
    for (const { alert, expr, annotations } of rules) {
      const left = readPromql(expr).flatMap(({ name, groupings }) =>
        groupings.length > 0 ? groupings.flatMap((grouping) => grouping ?? []) : ['instance', 'job', ...series.get(name)!.labels.keys()],
      );
      for (const [, label] of annotations['description']!.matchAll(/\$labels\.(\w+)/g))
        expect([alert, left]).toEqual([alert, expect.arrayContaining([label])]);
    }
  });

  it('have each a series that they fire in and one that they are silent in, for promtool', async () => {
    const { tests } = parse(await readFile('test/prometheus/casebook-rules.test.yaml', 'utf8')) as {
      tests: { promql_expr_test: { expr: string; exp_samples: unknown[] }[] }[];
    };
    const tested = tests.flatMap(({ promql_expr_test }) =>
      promql_expr_test.map(({ expr, exp_samples }) => `${/alertname="(\w+)"/.exec(expr)![1]} ${exp_samples.length > 0}`),
    );
    expect(tested.toSorted()).toEqual(rules.flatMap(({ alert }) => [`${alert} false`, `${alert} true`]).toSorted());
  });

  it('are the same for the Prometheus operator; "npm run rules" writes them anew', async () => {
    const groups = rulesText!.slice(rulesText!.indexOf('groups:')).replaceAll(/^(?=.)/gm, '  ');
    await expect(`${OPERATOR_HEADER}${groups}`).toMatchFileSnapshot('../../deploy/kustomize/monitoring/prometheus-rule.yaml');
  });
});

const OPERATOR_HEADER = `# The rules of deploy/prometheus/casebook-rules.yaml for the Prometheus operator, written by \`npm run rules\`.
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  name: casebook
  namespace: casebook
  labels:
    app.kubernetes.io/name: casebook
spec:
`;

describe('the dashboard', () => {
  it('names no data source of its own: it is chosen by a variable, as clusters are', () => {
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['cluster', 'query'],
    ]);
    const sources = [
      dashboard.templating.list[1]!.datasource,
      ...panels.flatMap((panel) => [panel.datasource, ...panel.targets.map((target) => target.datasource)]),
    ];
    for (const source of sources) expect(source).toEqual({ type: 'prometheus', uid: '${datasource}' });
    expect(JSON.stringify(dashboard)).not.toMatch(/"id":null|__inputs/);
  });

  it('has rows for every part, panels that do not lie on each other, and a unit and a title for each', () => {
    const titles = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(titles).toEqual(['Intake', 'Diagnosis', 'Incidents', 'Watch', 'Notifications', 'Database', 'Process and HTTP']);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
    for (const { title, fieldConfig, targets } of panels) {
      expect([title, fieldConfig.defaults.unit]).toEqual([title, expect.any(String)]);
      expect([title, targets.map(({ refId }) => refId)]).toEqual([title, [...new Set(targets.map(({ refId }) => refId))]]);
    }
    const cells = dashboard.panels.flatMap(({ gridPos }: DashboardPanel) =>
      Array.from({ length: gridPos.w * gridPos.h }, (_, i) => `${gridPos.x + (i % gridPos.w)} ${gridPos.y + Math.floor(i / gridPos.w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...dashboard.panels.map(({ gridPos }) => gridPos.x + gridPos.w))).toBe(24);
  });
});
