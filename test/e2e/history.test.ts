import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreEvent, crash, e4011 } from '../support/core-event.js';
import { statementsOf } from '../support/count-statements.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

const SUMS = 'occurrences episodes opened reopened resolved';
const synced = (at: string) =>
  coreEvent({ kind: 'Ingress', name: 'web', reason: 'EnsureServiceSuccess', component: 'loadbalance-controller', type: 'Normal', at });

describe('History over GraphQL', () => {
  let casebook: TestCasebook;

  const ask = async (query: string, variables: object = {}) => {
    const { data, errors } = await casebook.graphql(query, variables);
    expect(errors).toBeUndefined();
    return data;
  };
  /** Sums of each bucket as [occurrences, opened, reopened, resolved, open]. */
  const rows = (buckets: Record<string, number>[]) =>
    buckets.map((b) => [b['occurrences'], b['opened'], b['reopened'], b['resolved'], b['open']]);

  beforeAll(async () => {
    casebook = await startTestCasebook();
    for (const name of ['blue', 'green', 'red']) await casebook.register(name);
    const send = async (cluster: string, ...events: unknown[]) => expect((await casebook.post(cluster, events)).status).toBe(200);
    // Berlin changes its clocks on 2026-03-29 at 01:00 UTC. What happened later is told first.
    await send('blue', e4011({ uid: 'again', at: '2026-03-29T22:30:00Z' }));
    await send('blue', synced('2026-03-30T10:30:00Z'));
    await send('blue', e4011({ uid: 'grown', count: 3, firstAt: '2026-03-28T22:30:00Z', at: '2026-03-28T23:30:00Z' }));
    await send('blue', synced('2026-03-29T21:30:00Z'));
    await send('green', e4011({ at: '2026-03-29T01:15:00Z' }));
    await send('red', crash({ at: '2026-03-29T12:00:00Z' }), crash({ at: '2026-03-29T12:01:00Z', namespace: 'bank' }));
  });
  afterAll(() => casebook?.stop());

  it('tells of an error code by the days of a zone, one of them an hour short, wherever late events arrive', async () => {
    const { errorCodeHistory: told } = await ask(
      `{ errorCodeHistory(code: "e4011", kind: "Ingress", from: "2026-03-28T12:00:00+01:00", to: "2026-03-30T12:00:00+02:00", timeZone: "Europe/Berlin") {
        code known problemIds from to bucket timeZone state firstSeenAt lastSeenAt openNow affectedSubjects ${SUMS} change
        previous { from to ${SUMS} } timeToResolve { counted median p90 } meanSecondsToResolve
        buckets { from to ${SUMS} open } clusters { cluster state ${SUMS} openNow affectedSubjects firstSeenAt timeToResolve { counted median } buckets { ${SUMS} open } } } }`,
    );
    expect(told).toMatchObject({
      code: 'E4011',
      known: true,
      problemIds: ['tke/ingress/E4011'],
      from: '2026-03-27T23:00:00.000Z',
      to: '2026-03-30T22:00:00.000Z',
      bucket: 'DAY',
      timeZone: 'Europe/Berlin',
      state: 'NEW',
      firstSeenAt: '2026-03-28T22:30:00.000Z',
      lastSeenAt: '2026-03-29T22:30:00.000Z',
      openNow: 1,
      affectedSubjects: 2,
      occurrences: 5,
      episodes: 3,
      opened: 2,
      reopened: 1,
      resolved: 2,
      change: null,
      previous: { from: '2026-03-24T23:00:00.000Z', to: '2026-03-27T23:00:00.000Z', occurrences: 0, episodes: 0 },
      // 23 hours, and 12 hours
      timeToResolve: { counted: 2, median: 17.5 * 3600 },
      meanSecondsToResolve: 17.5 * 3600,
    });
    expect(told.timeToResolve.p90).toBeCloseTo(12 * 3600 + 0.9 * 11 * 3600);
    expect(told.buckets.map((bucket: { from: string }) => bucket.from)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(rows(told.buckets)).toEqual([
      [1, 1, 0, 0, 1],
      [3, 1, 0, 1, 1],
      [1, 0, 1, 1, 1],
    ]);
    expect(
      told.clusters.map(({ buckets, ...rest }: { buckets: Record<string, number>[] }) => ({ ...rest, buckets: rows(buckets) })),
    ).toMatchObject([
      {
        cluster: 'blue',
        state: 'NEW',
        occurrences: 4,
        openNow: 0,
        affectedSubjects: 1,
        timeToResolve: { counted: 2 },
        buckets: [
          [1, 1, 0, 0, 1],
          [2, 0, 0, 1, 0],
          [1, 0, 1, 1, 0],
        ],
      },
      {
        cluster: 'green',
        occurrences: 1,
        openNow: 1,
        firstSeenAt: '2026-03-29T01:15:00.000Z',
        timeToResolve: null,
        buckets: [
          [0, 0, 0, 0, 0],
          [1, 1, 0, 0, 1],
          [0, 0, 0, 0, 1],
        ],
      },
    ]);
  });

  it.each([
    [
      'UTC',
      3,
      [
        [3, 1],
        [2, 2],
        [0, 0],
      ],
    ],
    [
      'America/New_York',
      3,
      [
        [4, 2],
        [1, 1],
        [0, 0],
      ],
    ],
    [
      'Asia/Kolkata',
      3,
      [
        [0, 0],
        [4, 2],
        [1, 1],
      ],
    ],
    [
      'Asia/Kathmandu',
      3,
      [
        [0, 0],
        [4, 2],
        [1, 1],
      ],
    ],
    [
      'Pacific/Apia',
      3,
      [
        [0, 0],
        [4, 2],
        [1, 1],
      ],
    ],
  ])('puts happenings into the days of %s', async (timeZone, count, expected) => {
    const local = {
      UTC: 'Z',
      'America/New_York': '-04:00',
      'Asia/Kolkata': '+05:30',
      'Asia/Kathmandu': '+05:45',
      'Pacific/Apia': '+13:00',
    }[timeZone];
    const { problemHistory: told } = await ask(
      `query ($from: DateTime, $to: DateTime, $timeZone: String) {
        problemHistory(id: "tke/ingress/E4011", from: $from, to: $to, timeZone: $timeZone) { occurrences buckets { occurrences episodes } } }`,
      { from: `2026-03-28T12:00:00${local}`, to: `2026-03-30T12:00:00${local}`, timeZone },
    );
    expect(told.buckets).toHaveLength(count);
    expect(told.buckets.map((bucket: Record<string, number>) => [bucket['occurrences'], bucket['episodes']])).toEqual(expected);
    expect(told.occurrences).toBe(5);
  });

  it('counts by the hour, in zones whose hours begin at other minutes too', async () => {
    const hours = async (timeZone: string) => {
      const { problemHistory: told } = await ask(
        `query ($timeZone: String) { problemHistory(id: "tke/ingress/E4011", bucket: HOUR, timeZone: $timeZone, from: "2026-03-28T22:00:00Z", to: "2026-03-29T02:00:00Z") {
          buckets { from occurrences open } } }`,
        { timeZone },
      );
      return told.buckets
        .filter(({ occurrences }: { occurrences: number }) => occurrences > 0)
        .map(({ from, occurrences }: Record<string, string>) => [from, occurrences]);
    };
    expect(await hours('Europe/Berlin')).toEqual([
      ['2026-03-28T22:00:00.000Z', 1],
      ['2026-03-28T23:00:00.000Z', 2],
      ['2026-03-29T01:00:00.000Z', 1],
    ]);
    expect(await hours('Asia/Kathmandu')).toEqual([
      ['2026-03-28T22:15:00.000Z', 1],
      ['2026-03-28T23:15:00.000Z', 2],
      ['2026-03-29T01:15:00.000Z', 1],
    ]);
  });

  it('counts weeks from Monday, and compares with the weeks before', async () => {
    const { problemHistory: told } = await ask(
      `{ problemHistory(id: "tke/ingress/E4011", bucket: WEEK, from: "2026-03-30T00:00:00Z", to: "2026-03-31T00:00:00Z") {
        from to occurrences state change previous { from occurrences opened } } }`,
    );
    // The week from Monday, 30 March: only the end of an episode, and an Ingress of green that is still open.
    expect(told).toEqual({
      from: '2026-03-30T00:00:00.000Z',
      to: '2026-04-06T00:00:00.000Z',
      occurrences: 0,
      state: 'ONGOING',
      change: -1,
      previous: { from: '2026-03-23T00:00:00.000Z', occurrences: 5, opened: 2 },
    });
  });

  it('says of a later return that it came back, and of silence that it is quiet', async () => {
    const state = async (from: string, to: string, cluster: string) =>
      (
        await ask(
          `{ problemHistory(id: "tke/ingress/E4011", clusters: ["${cluster}"], bucket: HOUR, from: "${from}", to: "${to}") { state } }`,
        )
      )['problemHistory'].state;
    expect(await state('2026-03-29T22:00:00Z', '2026-03-29T23:00:00Z', 'blue')).toBe('ONGOING');
    expect(await state('2026-03-29T22:30:00Z', '2026-03-29T22:45:00Z', 'green')).toBe('ONGOING');
    expect(await state('2026-04-01T22:00:00Z', '2026-04-01T23:00:00Z', 'blue')).toBe('QUIET');
    expect(await state('2026-02-01T22:00:00Z', '2026-02-01T23:00:00Z', 'blue')).toBe('NEVER_SEEN');
    expect(await state('2026-03-28T22:00:00Z', '2026-03-28T23:00:00Z', 'blue')).toBe('NEW');
    await casebook.post('blue', e4011({ at: '2026-04-02T08:00:00Z', name: 'other' }));
    await casebook.post('blue', {
      ...synced('2026-04-02T08:10:00Z'),
      involvedObject: { kind: 'Ingress', namespace: 'shop', name: 'other' },
    });
    expect(await state('2026-04-02T08:00:00Z', '2026-04-02T09:00:00Z', 'blue')).toBe('CAME_BACK');
  });

  it('tells of a past time what was open all through it, also where it has ended since', async () => {
    const { problemHistory: told } = await ask(
      `{ problemHistory(id: "tke/ingress/E4011", bucket: HOUR, from: "2026-03-29T10:00:00Z", to: "2026-03-29T12:00:00Z") {
        state buckets { open } clusters { cluster state openNow occurrences buckets { open } } } }`,
    );
    const open = (...of: number[]) => of.map((each) => ({ open: each }));
    expect(told).toEqual({
      state: 'ONGOING',
      buckets: open(2, 2),
      clusters: [
        { cluster: 'blue', state: 'ONGOING', openNow: 0, occurrences: 0, buckets: open(1, 1) },
        { cluster: 'green', state: 'ONGOING', openNow: 1, occurrences: 0, buckets: open(1, 1) },
      ],
    });
  });

  it('tells of a namespace and of a subject', async () => {
    const range = 'from: "2026-03-29T00:00:00Z", to: "2026-03-29T23:00:00Z"';
    const data = await ask(
      `{ bank: namespaceHistory(namespace: "bank", ${range}) { ${SUMS} affectedSubjects clusters { cluster occurrences } }
        shop: namespaceHistory(namespace: "shop", ${range}, clusters: ["red", "green"]) { occurrences clusters { cluster occurrences } }
        web: subjectHistory(subject: { kind: "Ingress", namespace: "shop", name: "web" }, ${range}) { ${SUMS} buckets { occurrences open } clusters { cluster occurrences episodes } }
        deployment: subjectHistory(subject: { kind: "Deployment", namespace: "shop", name: "web" }, ${range}) { ${SUMS} }
        nobody: subjectHistory(subject: { kind: "Ingress", name: "web" }, ${range}) { occurrences state clusters { cluster } } }`,
    );
    expect(data).toEqual({
      bank: {
        occurrences: 1,
        episodes: 1,
        opened: 1,
        reopened: 0,
        resolved: expect.any(Number),
        affectedSubjects: 1,
        clusters: [{ cluster: 'red', occurrences: 1 }],
      },
      shop: {
        occurrences: 2,
        clusters: [
          { cluster: 'green', occurrences: 1 },
          { cluster: 'red', occurrences: 1 },
        ],
      },
      web: {
        occurrences: 2,
        episodes: 2,
        opened: 1,
        reopened: 1,
        resolved: 1,
        buckets: [{ occurrences: 2, open: 2 }],
        clusters: [
          { cluster: 'blue', occurrences: 1, episodes: 1 },
          { cluster: 'green', occurrences: 1, episodes: 1 },
        ],
      },
      deployment: { occurrences: 1, episodes: 1, opened: 1, reopened: 0, resolved: expect.any(Number) },
      nobody: { occurrences: 0, state: 'NEVER_SEEN', clusters: [] },
    });
  });

  it('does not say of what happened that it was never seen, when its incident is not kept any more', async () => {
    await casebook.post('red', [
      crash({ at: '2026-03-20T12:00:00Z', namespace: 'former' }),
      crash({ at: '2026-03-27T12:00:00Z', namespace: 'former', uid: 'again' }),
    ]);
    await casebook.database.pool.query(`DELETE FROM incident WHERE subject_namespace = 'former'`);
    const on = async (from: string, to: string) =>
      (
        await ask(
          `{ namespaceHistory(namespace: "former", from: "${from}T00:00:00Z", to: "${to}T00:00:00Z") { state occurrences firstSeenAt clusters { cluster state } } }`,
        )
      )['namespaceHistory'];
    expect(await on('2026-03-20', '2026-03-21')).toMatchObject({ state: 'NEW', occurrences: 1, firstSeenAt: null });
    expect(await on('2026-03-26', '2026-03-28')).toMatchObject({ state: 'NEW', clusters: [{ cluster: 'red', state: 'NEW' }] });
    expect(await on('2026-03-20', '2026-03-27')).toMatchObject({ state: 'NEW', occurrences: 1 });
    expect((await on('2026-03-28', '2026-03-30')).state).toBe('QUIET');
    expect((await on('2026-03-01', '2026-03-02')).state).toBe('NEVER_SEEN');
  });

  it('reads when it was seen for the fields that tell it only, and once for all of them', async () => {
    const statements = async (fields: string) =>
      statementsOf(() =>
        ask(`{ problemHistory(id: "tke/ingress/E4011", from: "2026-03-28T00:00:00Z", to: "2026-03-31T00:00:00Z") { ${fields} } }`),
      );
    const sums = await statements('occurrences change buckets { occurrences open } clusters { cluster occurrences }');
    const both = await statements('occurrences state firstSeenAt openNow clusters { cluster state lastSeenAt affectedSubjects openNow }');
    expect(both.length).toBe(sums.length + 1);
    expect(sums.filter((statement) => statement.includes('first_seen_at'))).toEqual([]);
  });

  it('has an empty history for a code that nobody knows, and for clusters that are not there', async () => {
    const range = 'from: "2026-03-29T00:00:00Z", to: "2026-03-30T00:00:00Z"';
    const data = await ask(
      `{ unknown: errorCodeHistory(code: "E9999'; DROP TABLE cluster --", ${range}) { known problemIds state occurrences buckets { occurrences open } clusters { cluster } }
        elsewhere: errorCodeHistory(code: "E4011", clusters: ["nowhere", "%"], ${range}) { known occurrences clusters { cluster } }
        service: errorCodeHistory(code: "E4011", kind: "Service", provider: TKE, ${range}) { problemIds occurrences } }`,
    );
    expect(data).toEqual({
      unknown: { known: false, problemIds: [], state: 'NEVER_SEEN', occurrences: 0, buckets: [{ occurrences: 0, open: 0 }], clusters: [] },
      elsewhere: { known: true, occurrences: 0, clusters: [] },
      service: { problemIds: ['tke/service/E4011'], occurrences: 0 },
    });
  });

  it.each([
    ['from: "2026-03-02T00:00:00Z", to: "2026-03-01T00:00:00Z"', /from \(2026-03-02T00:00:00Z\) has to be before to/],
    ['from: "2026-01-01T00:00:00Z", to: "2126-01-01T00:00:00Z", bucket: HOUR', /876576 buckets of an hour; at most 1000 are allowed/],
    ['from: "0001-01-01T00:00:00Z"', /from has to be between 2000-01-01T00:00:00Z and/],
    ['timeZone: "Europe/Berln"', /"Europe\/Berln" is not in the IANA time zone database; did you mean Europe\/Berlin\?/],
    [`clusters: [${Array.from({ length: 10_000 }, () => '"a"').join(' ')}]`, /(10000 values; at most 500|tokens)/],
    ['bucket: MONTH', /"MONTH" does not exist/],
    ['clusters: ["\\u0000"]', /NUL/],
  ])('refuses %.80s', async (args, message) => {
    const { errors } = await casebook.graphql(`{ errorCodeHistory(code: "E4011", ${args}) { occurrences } }`);
    expect(errors?.[0]?.message).toMatch(message);
    expect(['BAD_INPUT', 'TOO_LARGE']).toContain(errors?.[0]?.extensions.code);
  });
});
