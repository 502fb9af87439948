import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SilenceService } from '../../src/pipeline/silence.service.js';
import type { BusyCasebook } from '../support/busy-casebook.js';
import { startBusyCasebook } from '../support/busy-casebook.js';
import { dashboard, queriesOf } from '../support/dashboard.js';
import type { ActiveAlert } from '../support/prometheus-server.js';
import { freePort } from '../support/free-port.js';
import { PrometheusServer } from '../support/prometheus-server.js';
import { ADMIN_TOKEN } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';

/** Alerts that depend on how fast the machine is; whoever sends wrong tokens is slowed down, for one. */
const OF_SPEED = new Set(['CasebookWrongTokens', 'CasebookEventLoopSlow', 'CasebookIntakeSlow']);
const RULES = 'deploy/prometheus/casebook-rules.yaml';

/** Where scripts/test-prometheus.mjs has put a program. */
function programOf(variable: string): string {
  const path = process.env[variable];
  if (!path) throw new Error(`${variable} is not set: start these tests with npm run test:prometheus`);
  return path;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const promtool = (...args: string[]): Promise<{ stdout: string }> => promisify(execFile)(programOf('TEST_PROMTOOL'), args);

describe('the rules', () => {
  it('are sound to promtool', async () => {
    const { stdout } = await promtool('check', 'rules', RULES);
    expect(stdout).toContain('SUCCESS');
    print(stdout.trim());
  });

  it('fire in series that fail, and are silent in healthy ones', async () => {
    const { stdout } = await promtool('test', 'rules', 'test/prometheus/casebook-rules.test.yaml');
    expect(stdout).toContain('SUCCESS');
    print(stdout.trim());
  });
});

describe('a Prometheus that scrapes a service', () => {
  let busy: BusyCasebook;
  let prometheus: PrometheusServer;
  let traffic: Promise<void>;
  let stopped = false;

  beforeAll(async () => {
    busy = await startBusyCasebook();
    const { casebook } = busy;
    // A cluster that talked until an hour ago, while Casebook was there.
    await casebook.register('silent');
    await casebook.graphql('mutation { setClusterSilence(cluster: "silent", after: "1m") { name } }');
    await casebook.app.get(SilenceService).run();
    const { pool } = casebook.database;
    await pool.query(`UPDATE service_span SET started_at = now() - interval '7 days'`);
    await pool.query(`UPDATE cluster SET last_heard_at = now() - interval '1 hour' WHERE name = 'silent'`);
    // Times, and a number of an hour, that suit a service that is a minute old; promtool has tested those that are written there.
    const rules = (await readFile(RULES, 'utf8'))
      .replaceAll(/^( +for): \w+$/gm, '$1: 1s')
      .replaceAll(/\[(5m|15m|1h)\]/g, '[30s]')
      .replace('> 20', '> 2');
    const targets = [new URL(casebook.url).host, `127.0.0.1:${await freePort()}`];
    prometheus = await PrometheusServer.start(programOf('TEST_PROMETHEUS'), { targets, token: ADMIN_TOKEN, rules });
    traffic = (async () => {
      for (; !stopped; await sleep(200)) await busy.goOn();
    })();
    const scrapes = 'count_over_time(casebook_build_info[5m])';
    await waitUntil(
      () => prometheus.query(scrapes),
      ([sample]) => Number(sample?.value[1]) >= 15,
      90_000,
    );
  });
  afterAll(async () => {
    stopped = true;
    await traffic;
    await prometheus?.stop();
    await busy?.stop();
  });

  it('can evaluate every query of the dashboard, and each has something to show', async () => {
    const panels = dashboard.panels.filter(({ type }) => type !== 'row');
    const empty: string[] = [];
    let count = 0;
    for (const panel of panels) {
      for (const { expr } of queriesOf(panel, '30s')) {
        count++;
        if ((await prometheus.query(expr)).length === 0) empty.push(expr);
      }
    }
    print(`${count} queries of ${panels.length} panels were evaluated; ${count - empty.length} had something to show`);
    // Which jobs have failed: none has.
    expect(empty).toEqual([expect.stringContaining('casebook_job_failures_total')]);
  });

  it('shows what was done', async () => {
    const one = async (expr: string): Promise<number> => Number((await prometheus.query(expr))[0]?.value[1]);
    expect(await one('sum(rate(casebook_intake_events_total{cluster="prod",result="merged"}[30s]))')).toBeGreaterThan(0);
    expect(
      await one('histogram_quantile(0.95, sum by (le) (rate(casebook_intake_commit_duration_seconds_bucket{result="stored"}[30s])))'),
    ).toBeGreaterThan(0);
    expect(await one('max(casebook_incidents_open{cluster="prod",severity="error"})')).toBeGreaterThan(1);
    expect(await one('sum(up{job="casebook"})')).toBe(1);
  });

  it('has the alerts fire that have a reason, with all their words, and no other', async () => {
    const firing = async (): Promise<ActiveAlert[]> => (await prometheus.alerts()).filter(({ state }) => state === 'firing');
    const expected = [
      'CasebookClusterSilent silent',
      'CasebookDeadLetters',
      'CasebookDown',
      'CasebookInputRefused',
      'CasebookIntakeRefusing fast',
      'CasebookWatchNotFollowed unreachable',
    ];
    const nameOf = ({ labels }: ActiveAlert): string => [labels['alertname'], labels['cluster'] ?? ''].join(' ').trim();
    // Failures that come in numbers are told by one message after a minute, which then is a dead letter.
    const all = (list: ActiveAlert[]): boolean => expected.every((name) => list.some((alert) => nameOf(alert) === name));
    const alerts = await waitUntil(firing, all, 150_000);
    const names = [...new Set(alerts.map(nameOf))].toSorted();
    expect(names.filter((name) => !OF_SPEED.has(name))).toEqual(expected);
    for (const { labels, annotations } of alerts) {
      expect([labels['alertname'], Object.values(annotations).join(' ')]).toEqual([
        labels['alertname'],
        expect.not.stringMatching(/no value|error expanding|NaN/),
      ]);
    }
    expect((await prometheus.rules()).filter(({ health }) => health !== 'ok')).toEqual([]);
    for (const alert of alerts) print(`${nameOf(alert)}: ${alert.annotations['description']}`);
  }, 180_000);
});
