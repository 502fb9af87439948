import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN, startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { coreEvent, crash, e4011 } from '../support/core-event.js';

const SUMS = 'occurrences opened reopened resolved';
const RANGE = 'from: "2026-05-11T00:00:00Z", to: "2026-05-14T00:00:00Z"';

describe('Trends', () => {
  let casebook: TestCasebook;

  const ask = async (query: string) => {
    const { data, errors } = await casebook.graphql(query);
    expect(errors).toBeUndefined();
    return data;
  };
  const csv = async (query: string) => casebook.send('GET', `/v1/trends.csv?${query}`, { token: ADMIN_TOKEN });

  beforeAll(async () => {
    casebook = await startTestCasebook({ CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN, CASEBOOK_AUTH: 'required' });
    for (const [name, provider] of [
      ['blue', 'tke'],
      ['green', 'tke'],
      ['red', 'kubernetes'],
    ] as const)
      await casebook.register(name, provider);
    await casebook.database.pool.query(`UPDATE cluster SET region = CASE name WHEN 'red' THEN NULL ELSE '=cmd|"x"!A1, south' END`);
    const send = async (cluster: string, ...events: unknown[]) => expect((await casebook.post(cluster, events)).status).toBe(200);
    // The period before: three days from 8 May.
    await send('blue', e4011({ at: '2026-05-09T10:00:00Z', count: 40, firstAt: '2026-05-09T09:00:00Z', name: 'old' }));
    await send('red', crash({ at: '2026-05-10T10:00:00Z', namespace: 'bank' }));
    // The range. E4011 comes to blue on another Ingress (it is there already), then to green; a crash loop to all three.
    await send(
      'green',
      e4011({ at: '2026-05-12T08:00:00Z' }),
      crash({ at: '2026-05-11T10:00:00Z', count: 5, firstAt: '2026-05-11T09:30:00Z' }),
    );
    await send('blue', e4011({ at: '2026-05-12T06:00:00Z' }), crash({ at: '2026-05-11T20:00:00Z' }));
    await send('red', crash({ at: '2026-05-12T01:00:00Z', count: 60, firstAt: '2026-05-12T00:30:00Z' }));
    await send(
      'green',
      coreEvent({
        kind: 'Ingress',
        name: 'web',
        reason: 'EnsureServiceSuccess',
        component: 'loadbalance-controller',
        type: 'Normal',
        at: '2026-05-12T09:00:00Z',
      }),
    );
  });
  afterAll(() => casebook?.stop());

  it('sums up by cluster and day, with what was open when, and everything together', async () => {
    const { trend } = await ask(
      `{ trend(groupBy: [CLUSTER], filter: { problems: ["tke/ingress/E4011"] }, ${RANGE}) { from to bucket timeZone groupBy
        groups { key { dimension value } ${SUMS} openAtEnd change previous { from occurrences opened } points { from ${SUMS} open } timeToResolve { median } }
        total { ${SUMS} openAtEnd previous { occurrences } points { occurrences open } timeToResolve { counted } } } }`,
    );
    expect(trend).toMatchObject({
      from: '2026-05-11T00:00:00.000Z',
      to: '2026-05-14T00:00:00.000Z',
      bucket: 'DAY',
      timeZone: 'UTC',
      groupBy: ['CLUSTER'],
    });
    expect(trend.groups).toEqual([
      {
        key: [{ dimension: 'CLUSTER', value: 'blue' }],
        occurrences: 1,
        opened: 1,
        reopened: 0,
        resolved: 0,
        openAtEnd: 2,
        change: -39 / 40,
        previous: { from: '2026-05-08T00:00:00.000Z', occurrences: 40, opened: 1 },
        timeToResolve: null,
        points: [
          { from: '2026-05-11T00:00:00.000Z', occurrences: 0, opened: 0, reopened: 0, resolved: 0, open: 1 },
          { from: '2026-05-12T00:00:00.000Z', occurrences: 1, opened: 1, reopened: 0, resolved: 0, open: 2 },
          { from: '2026-05-13T00:00:00.000Z', occurrences: 0, opened: 0, reopened: 0, resolved: 0, open: 2 },
        ],
      },
      expect.objectContaining({
        key: [{ dimension: 'CLUSTER', value: 'green' }],
        occurrences: 1,
        resolved: 1,
        openAtEnd: 0,
        timeToResolve: { median: 3600 },
      }),
    ]);
    expect(trend.total).toEqual({
      occurrences: 2,
      opened: 2,
      reopened: 0,
      resolved: 1,
      openAtEnd: 2,
      previous: { occurrences: 40 },
      timeToResolve: { counted: 1 },
      points: [
        { occurrences: 0, open: 1 },
        { occurrences: 2, open: 2 },
        { occurrences: 0, open: 2 },
      ],
    });
  });

  it.each<[string, string, Record<string, number | null>]>([
    ['PROBLEM', '', { 'kubernetes/container/crash-loop': 66, 'tke/ingress/E4011': 2 }],
    ['CODE', '', { null: 66, E4011: 2 }],
    ['AREA', '', { container: 66, ingress: 2 }],
    ['SEVERITY', '', { CRITICAL: 66, ERROR: 2 }],
    ['PROVIDER', '', { KUBERNETES: 66, TKE: 2 }],
    ['CLUSTER_PROVIDER', '', { KUBERNETES: 60, TKE: 8 }],
    ['REGION', '', { null: 60, '=cmd|"x"!A1, south': 8 }],
    ['NAMESPACE', '', { shop: 68 }],
    ['NAMESPACE', 'filter: { areas: ["ingress"] },', { shop: 2 }],
    ['CLUSTER', 'filter: { severities: [ERROR], clusters: ["green", "red"] },', { green: 1 }],
    ['CLUSTER', 'filter: { codes: ["e4011"], providers: [KUBERNETES] },', {}],
    ['CLUSTER', 'filter: { namespaces: ["bank"] },', {}],
    ['CLUSTER', 'filter: { clusterProviders: [TKE], regions: ["=cmd|\\"x\\"!A1, south"], problems: [] },', { blue: 2, green: 6 }],
  ])('groups by %s, %s', async (dimension, filter, expected) => {
    const { trend } = await ask(
      `{ trend(groupBy: [${dimension}], ${filter} ${RANGE}) { groups { key { value } occurrences } total { occurrences } } }`,
    );
    const groups = trend.groups.filter(({ occurrences }: { occurrences: number }) => occurrences > 0);
    expect(
      Object.fromEntries(
        groups.map(({ key, occurrences }: { key: [{ value: string }]; occurrences: number }) => [String(key[0].value), occurrences]),
      ),
    ).toEqual(expected);
    expect(trend.total.occurrences).toBe(Object.values(expected).reduce((sum: number, value) => sum + (value ?? 0), 0));
  });

  it('groups by several at once, and leaves the rest of the groups in the total', async () => {
    const { trend } = await ask(
      `{ trend(groupBy: [CLUSTER, AREA], first: 2, ${RANGE}) { groups { key { value } occurrences } total { occurrences } } }`,
    );
    expect(trend).toEqual({
      groups: [
        { key: [{ value: 'red' }, { value: 'container' }], occurrences: 60 },
        { key: [{ value: 'green' }, { value: 'container' }], occurrences: 5 },
      ],
      total: { occurrences: 68 },
    });
  });

  it('groups by status from the episodes, without occurrences', async () => {
    const { trend } = await ask(
      `{ trend(groupBy: [STATUS], filter: { codes: ["E4011"] }, ${RANGE}) { groups { key { value } occurrences opened resolved openAtEnd } total { occurrences opened } } }`,
    );
    expect(trend.groups).toEqual([
      { key: [{ value: 'OPEN' }], occurrences: null, opened: 1, resolved: 0, openAtEnd: 2 },
      { key: [{ value: 'RESOLVED' }], occurrences: null, opened: 1, resolved: 1, openAtEnd: 0 },
    ]);
    expect(trend.total).toEqual({ occurrences: null, opened: 2 });
  });

  it('has no occurrences by status where nothing happened either', async () => {
    const { trend } = await ask(
      `{ trend(groupBy: [STATUS], filter: { codes: ["E4011"] }, from: "2026-05-20T00:00:00Z", to: "2026-05-21T00:00:00Z") {
        groups { key { value } occurrences openAtEnd points { occurrences open } } total { occurrences openAtEnd previous { occurrences } } } }`,
    );
    expect(trend).toEqual({
      groups: [{ key: [{ value: 'OPEN' }], occurrences: null, openAtEnd: 2, points: [{ occurrences: null, open: 2 }] }],
      total: { occurrences: null, openAtEnd: 2, previous: { occurrences: null } },
    });
  });

  it('names no group of a past time that began later', async () => {
    const { trend } = await ask(
      '{ trend(groupBy: [CLUSTER], from: "2026-05-01T00:00:00Z", to: "2026-05-02T00:00:00Z") { groups { openAtEnd } total { openAtEnd } } }',
    );
    expect(trend).toEqual({ groups: [], total: { openAtEnd: 0 } });
  });

  it('names what rises and what falls by more than chance', async () => {
    const { trend } = await ask(
      `{ trend(groupBy: [CLUSTER, PROBLEM], ${RANGE}) {
        rising { key { value } now before score change } falling { key { value } now before score change } opened: rising(by: OPENED) { key { value } } one: rising(first: 1) { now } } }`,
    );
    expect(trend.rising).toEqual([
      { key: [{ value: 'red' }, { value: 'kubernetes/container/crash-loop' }], now: 60, before: 1, score: 59 / Math.sqrt(61), change: 59 },
      { key: [{ value: 'green' }, { value: 'kubernetes/container/crash-loop' }], now: 5, before: 0, score: Math.sqrt(5), change: null },
    ]);
    expect(trend.falling).toEqual([
      { key: [{ value: 'blue' }, { value: 'tke/ingress/E4011' }], now: 1, before: 40, score: -39 / Math.sqrt(41), change: -39 / 40 },
    ]);
    expect(trend.opened).toEqual([]);
    expect(trend.one).toEqual([{ now: 60 }]);
  });

  it('shows how a problem spreads: where, in what order, since when', async () => {
    const { spreading } = await ask(
      `{ spreading(withinHours: 24, ${RANGE}) { problemId problem { code } since until clusters { cluster arrivedAt } } }`,
    );
    expect(spreading).toEqual([
      {
        problemId: 'kubernetes/container/crash-loop',
        problem: { code: null },
        since: '2026-05-11T09:30:00.000Z',
        until: '2026-05-12T00:30:00.000Z',
        clusters: [
          { cluster: 'green', arrivedAt: '2026-05-11T09:30:00.000Z' },
          { cluster: 'blue', arrivedAt: '2026-05-11T20:00:00.000Z' },
          { cluster: 'red', arrivedAt: '2026-05-12T00:30:00.000Z' },
        ],
      },
    ]);
    expect((await ask(`{ spreading(withinHours: 12, ${RANGE}) { clusters { cluster } } }`))['spreading']).toEqual([
      { clusters: [{ cluster: 'blue' }, { cluster: 'red' }] },
    ]);
    expect((await ask(`{ spreading(minClusters: 4, ${RANGE}) { problemId } }`))['spreading']).toEqual([]);
  });

  it('writes CSV by the clocks of a zone, quoted, and without formulas', async () => {
    const { status, headers, body } = await csv(
      'from=2026-05-11T00:00:00Z&to=2026-05-14T00:00:00Z&groupBy=region,cluster&timeZone=Asia/Kolkata&areas=ingress',
    );
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/csv; charset=utf-8; header=present' });
    expect(body).toBe(
      [
        'from,to,region,cluster,occurrences,opened,reopened,resolved,meanSecondsToResolve',
        `2026-05-12T00:00:00+05:30,2026-05-13T00:00:00+05:30,"'=cmd|""x""!A1, south",blue,1,1,0,0,`,
        `2026-05-12T00:00:00+05:30,2026-05-13T00:00:00+05:30,"'=cmd|""x""!A1, south",green,1,1,0,1,3600`,
        '',
      ].join('\r\n'),
    );
  });

  it('writes as many lines as there are, portion by portion, with the sums of the other doors', async () => {
    const { body } = await csv('from=2026-05-08T00:00:00Z&to=2026-05-14T00:00:00Z&bucket=hour&groupBy=cluster,problem');
    const rows = (body as string)
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    expect(rows.length).toBeGreaterThan(8);
    expect(rows.reduce((sum, row) => sum + Number(row[4]), 0)).toBe(109);
    expect(rows.map((row) => row[0]!)).toEqual(rows.map((row) => row[0]!).sort());
  });

  it.each([
    ['groupBy=cluster,colour', /groupBy has to be of cluster, clusterProvider, .*; got "colour"/],
    ['cluster=blue', /There is no parameter "cluster"; known are from, to,/],
    ['from=yesterday', /from has to be a time in RFC 3339 form/],
    ['timeZone=Mars/Olympus', /not in the IANA time zone database/],
    ['from=2000-01-01T00:00:00Z&bucket=hour', /at most 1000 are allowed/],
    [`clusters=${Array.from({ length: 501 }, (_, i) => i).join()}`, /filter.clusters holds 501 values; at most 500/],
    ['groupBy=cluster,problem,namespace,severity,status', /groupBy holds 5 dimensions; at most 4/],
  ])('refuses CSV of %.60s', async (query, message) => {
    const { status, body } = await csv(query);
    expect({ status, code: body.error?.code }).toEqual({ status: 400, code: 'BAD_INPUT' });
    expect(body.error.message).toMatch(message);
  });

  it.each([
    [
      'trend(first: 200, bucket: HOUR, from: "2026-05-01T00:00:00Z", to: "2026-05-20T00:00:00Z")',
      /200 groups of 456 buckets are 91200 points; at most 50000/,
    ],
    ['trend(groupBy: [COLOUR])', /"COLOUR" does not exist/],
    ['trend(first: 0)', /first has to be from 1 to 200/],
    [
      `trend(filter: { clusters: [${Array.from({ length: 501 }, () => '"a"').join(' ')}] })`,
      /filter.clusters holds 501 values; at most 500/,
    ],
  ])('refuses %.60s', async (field, message) => {
    const { errors } = await casebook.graphql(`{ ${field} { from } }`);
    expect(errors?.[0]).toMatchObject({ message: expect.stringMatching(message), extensions: { code: 'BAD_INPUT' } });
  });

  it('refuses a query of which all trends together have too many buckets, however many aliases ask for them', async () => {
    const one =
      'trend(groupBy: [CLUSTER], first: 3, bucket: HOUR, from: "2026-04-10T00:00:00Z", to: "2026-05-21T16:00:00Z") { groups { opened } }';
    const all = (count: number): string => `{ ${Array.from({ length: count }, (_, i) => `a${i}: ${one}`).join(' ')} }`;
    // Three clusters with a thousand hours each.
    expect((await casebook.graphql(all(16))).errors).toBeUndefined();
    const { errors } = await casebook.graphql(all(17));
    expect(errors).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/more than 50000 buckets together/), extensions: { code: 'TOO_LARGE' } }),
    ]);
  });

  it('counts no buckets of groups and clusters that nobody asks for', async () => {
    const range = 'bucket: HOUR, from: "2026-04-10T00:00:00Z", to: "2026-05-21T16:00:00Z"';
    const each = (field: string): string => `{ ${Array.from({ length: 17 }, (_, i) => `a${i}: ${field}`).join(' ')} }`;
    const history = (fields: string): string => each(`namespaceHistory(namespace: "shop", ${range}) { ${fields} }`);
    const trends = await ask(each(`trend(groupBy: [CLUSTER], ${range}) { total { occurrences } }`));
    expect(Object.values(trends)).toEqual(Array(17).fill({ total: { occurrences: 109 } }));
    const histories = await ask(history('occurrences state'));
    expect(Object.values(histories)).toEqual(Array(17).fill({ occurrences: 108, state: 'NEW' }));
    const { errors } = await casebook.graphql(history('occurrences ... on History { clusters { cluster } }'));
    expect(errors?.[0]?.extensions.code).toBe('TOO_LARGE');
  });

  it('answers HEAD without reading to the end', async () => {
    const { status, headers } = await fetch(`${casebook.url}/v1/trends.csv?groupBy=cluster`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  });

  it('refuses a window and a range of spreading out of bounds, and movers by status', async () => {
    const refused = async (query: string) => (await casebook.graphql(query)).errors?.[0]?.message;
    expect(await refused('{ spreading(withinHours: 0) { since } }')).toMatch('withinHours has to be from 1 to 720, got 0');
    expect(await refused('{ spreading(from: "2020-01-01T00:00:00Z") { since } }')).toMatch('more than 92 days');
    expect(await refused('{ trend(groupBy: [STATUS]) { rising { score } } }')).toMatch('Occurrences are not kept by status');
  });

  it('is for those who may read everything', async () => {
    expect((await casebook.send('GET', '/v1/trends.csv')).status).toBe(401);
  });
});
