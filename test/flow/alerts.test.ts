import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readValues } from '../../src/events/read-body.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { recognise } from '../../src/pipeline/recognise.js';
import { bundledRecogniser, timeOf } from '../support/story.js';
import type { IncidentState } from '../support/stream.js';
import { TestIntake } from '../support/stream.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
let intake: TestIntake;
let recogniser: Recogniser;
let clusters = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  recogniser = await bundledRecogniser();
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

/** An alert as one element of a webhook; it is resolved when it has an end. */
interface Told {
  alert?: string;
  labels?: Record<string, string>;
  text?: string;
  from: string;
  to?: string;
}

function alertOf({ alert = 'KubePodNotReady', labels = { namespace: 'shop', pod: 'db-0' }, text = 'x', from, to }: Told): object {
  const iso = (time: string): string => new Date(timeOf(time)).toISOString();
  const all = { alertname: alert, ...labels };
  return {
    status: to === undefined ? 'firing' : 'resolved',
    labels: all,
    annotations: { description: text },
    startsAt: iso(from),
    endsAt: to === undefined ? '0001-01-01T00:00:00Z' : iso(to),
    fingerprint: JSON.stringify(all),
  };
}

/** A cluster to which groups of alerts are told, each as one webhook. */
async function cluster(): Promise<{ tell: (...alerts: Told[]) => Promise<boolean[]>; by: (time: string) => Promise<IncidentState[]> }> {
  const id = await intake.cluster(`alerts-${clusters++}`);
  const now = timeOf('+9d 00:00');
  return {
    async tell(...alerts) {
      const { events, rejected } = readValues([{ version: '4', groupKey: '{}', alerts: alerts.map(alertOf) }], { now });
      expect(rejected).toEqual([]);
      return intake.push(
        id,
        events.map(({ event }) => recognise(recogniser, event, 'kubernetes')),
        now,
      );
    },
    async by(time) {
      await intake.settle(id, timeOf(time));
      return intake.state(id);
    },
  };
}

const show = (states: IncidentState[]): string[] =>
  states.map(({ problem, subject, status, resolvedBy, resolvedAt, occurrences, episodes }) =>
    [
      problem,
      subject,
      status,
      resolvedBy ?? '',
      resolvedAt === null ? '' : new Date(resolvedAt).toISOString().slice(11, 16),
      `${occurrences}x`,
      `${episodes.length} episodes`,
    ]
      .filter((word) => word !== '')
      .join(' '),
  );

describe('an alert', () => {
  it('opens an incident when it fires, stays open through any silence, and ends when it is resolved, at its own end', async () => {
    const { tell, by } = await cluster();
    await tell({ from: '10:00' });
    expect(show(await by('+8d 10:00'))).toEqual(['kubernetes/alert/pod-not-ready Pod/shop/db-0 open 1x 1 episodes']);
    await tell({ from: '10:00', to: '10:20' });
    expect(show(await by('+8d 10:00'))).toEqual([
      'kubernetes/alert/pod-not-ready Pod/shop/db-0 resolved SUCCESS_EVENT 10:20 1x 1 episodes',
    ]);
  });

  it('counts once however often Alertmanager repeats it, and anew when it fires anew', async () => {
    const { tell, by } = await cluster();
    expect(await tell({ from: '10:00' })).toEqual([true]);
    expect(await tell({ from: '10:00', text: 'other value' })).toEqual([false]);
    await tell({ from: '10:00', to: '10:20' });
    await tell({ from: '10:00', to: '10:20' });
    await tell({ from: '11:00' });
    expect(show(await by('12:00'))).toEqual(['kubernetes/alert/pod-not-ready Pod/shop/db-0 open 2x 2 episodes']);
  });

  it('opens nothing when only its end is heard, whatever its words are', async () => {
    const { tell, by } = await cluster();
    await tell({ from: '10:00', to: '10:20' });
    await tell({
      alert: 'KubeNodeNotReady',
      labels: { node: 'node-1' },
      text: 'Node node-1 status is now: NodeNotReady',
      from: '10:00',
      to: '10:20',
    });
    expect(await by('11:00')).toEqual([]);
  });

  it('is ended by its end even when that arrives first', async () => {
    const { tell, by } = await cluster();
    await tell({ from: '10:00', to: '10:20' });
    await tell({ from: '10:00' });
    expect(show(await by('11:00'))).toEqual(['kubernetes/alert/pod-not-ready Pod/shop/db-0 resolved SUCCESS_EVENT 10:20 1x 1 episodes']);
  });

  it('stays open while the same alert with other labels fires on the same object', async () => {
    const { tell, by } = await cluster();
    const of = (severity: string): Told['labels'] => ({ namespace: 'db', persistentvolumeclaim: 'data-0', severity });
    const alert = 'KubePersistentVolumeFillingUp';
    await tell({ alert, labels: of('warning'), from: '10:00' }, { alert, labels: of('critical'), from: '10:30' });
    await tell({ alert, labels: of('critical'), from: '10:30', to: '10:40' });
    expect(show(await by('12:00'))).toEqual(['kubernetes/alert/volume-filling-up PersistentVolumeClaim/db/data-0 open 2x 1 episodes']);
    await tell({ alert, labels: of('warning'), from: '10:00', to: '11:00' });
    expect(show(await by('12:00'))).toEqual([
      'kubernetes/alert/volume-filling-up PersistentVolumeClaim/db/data-0 resolved SUCCESS_EVENT 11:00 2x 1 episodes',
    ]);
  });

  it('joins the incident of the problem that it is a sign of, and ends its own part of it', async () => {
    const { tell, by } = await cluster();
    const crash: Told = {
      alert: 'KubePodCrashLooping',
      labels: { namespace: 'shop', pod: 'web-6f9c7d8b5-x2x9z', container: 'app' },
      from: '10:00',
    };
    await tell(crash);
    expect(show(await by('12:00'))).toEqual(['kubernetes/container/crash-loop Deployment/shop/web open 1x 1 episodes']);
    await tell({ ...crash, to: '12:30' });
    expect(show(await by('13:00'))).toEqual([
      'kubernetes/container/crash-loop Deployment/shop/web resolved SUCCESS_EVENT 12:30 1x 1 episodes',
    ]);
  });

  it('is known by its name even where its text speaks of another problem', async () => {
    const { tell, by } = await cluster();
    await tell({
      alert: 'KubeJobFailed',
      labels: { namespace: 'shop', job_name: 'report' },
      text: 'Back-off restarting failed container',
      from: '10:00',
    });
    expect(show(await by('11:00'))).toEqual(['kubernetes/alert/job-failed Job/shop/report open 1x 1 episodes']);
  });

  it.each(['Watchdog', 'InfoInhibitor', 'MyOwnAlert'])('that no problem explains opens nothing: %s', async (alert) => {
    const { tell, by } = await cluster();
    const text = 'This is an alert meant to ensure that the entire alerting pipeline is functional.';
    expect(await tell({ alert, labels: { severity: 'none' }, text, from: '10:00' })).toEqual([true]);
    expect(await by('11:00')).toEqual([]);
  });

  it('ends in the same incidents in whatever order and however often its messages come', async () => {
    const minute = (at: number): string => `10:${String(at).padStart(2, '0')}`;
    const life = fc
      .tuple(
        fc.constantFrom('db-0', 'db-1'),
        fc.constantFrom('warning', 'critical'),
        fc.uniqueArray(fc.integer({ min: 0, max: 59 }), { minLength: 2, maxLength: 6 }),
      )
      .map(([pod, severity, marks]): Told[] => {
        const labels = { namespace: 'shop', pod, severity };
        const times = marks.sort((a, b) => a - b).map(minute);
        return times.flatMap((from, i): Told[] =>
          i % 2 === 1
            ? []
            : times[i + 1] === undefined
              ? [{ labels, from }]
              : [
                  { labels, from },
                  { labels, from, to: times[i + 1]! },
                ],
        );
      });
    const lives = fc
      .uniqueArray(life, { minLength: 1, maxLength: 3, selector: ([first]) => JSON.stringify(first!.labels) })
      .map((all) => all.flat());
    await fc.assert(
      fc.asyncProperty(
        lives.chain((told) =>
          fc.tuple(
            fc.constant(told),
            fc.shuffledSubarray([...told, ...told], { minLength: 2 * told.length }),
            fc.integer({ min: 1, max: 4 }),
          ),
        ),
        async ([told, shuffled, size]) => {
          const inOrder = await cluster();
          for (const each of [...told].sort((a, b) => (a.to ?? a.from).localeCompare(b.to ?? b.from))) await inOrder.tell(each);
          const other = await cluster();
          for (let i = 0; i < shuffled.length; i += size) await other.tell(...shuffled.slice(i, i + size));
          expect(await other.by('23:00')).toEqual(await inOrder.by('23:00'));
        },
      ),
      { seed: 31, numRuns: 40 },
    );
  });
});
