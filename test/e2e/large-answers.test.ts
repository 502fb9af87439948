import { getIntrospectionQuery } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/api/graphql/limits.js';
import { e4011 } from '../support/core-event.js';
import { subscribe } from '../support/live-client.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

/** Back and forth between a problem and what it belongs to: of small cost, as nothing tells how long these lists are. */
const PROBLEMS = 'problems { guides { problems { guides { problems { id } } } } }';
const LARGE = `{ guide(id: "tke-service-ingress-events") { ${PROBLEMS} } clusters { name } }`;

/** The walk that the tools of GraphQL ask for, with everything that they can be set to ask for. */
const TOOLS = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});

const { values } = LIMITS;
/** As many are made in no time; what is true of them is true of the real limit. */
const FEWER = 5_000;

describe('answers that grow large', () => {
  let casebook: TestCasebook;
  beforeAll(async () => {
    casebook = await startTestCasebook({}, 'knowledge');
    await casebook.register('prod');
  });
  afterAll(() => casebook?.stop());
  afterEach(() => void Object.assign(LIMITS, { values }));

  it('are refused as a whole, with one error', async () => {
    Object.assign(LIMITS, { values: FEWER });
    const { status, data, errors, ...rest } = await casebook.graphql(LARGE);
    expect([status, data, errors?.length]).toEqual([200, null, 1]);
    expect(errors![0]).toMatchObject({ extensions: { code: 'TOO_LARGE' }, message: expect.stringContaining(String(FEWER)) });
    expect(rest).toMatchObject({ extensions: { cost: { limit: LIMITS.cost } } });
    expect(casebook.logged.filter((line) => line.includes('GraphQL'))).toEqual([]);
    expect((await casebook.graphql('{ clusters { name } }')).data).toEqual({ clusters: [{ name: 'prod' }] });
  });

  it('are given when they are as large as histories may be', async () => {
    const points = 'points { from to occurrences episodes opened reopened resolved meanSecondsToResolve open }';
    const one = `trend(bucket: HOUR, from: "2026-01-01T00:00:00Z", to: "2026-02-11T00:00:00Z") { total { ${points} } }`;
    const names = Array.from({ length: 29 }, (_, i) => `a${i}: ${one}`).join(' ');
    const { data, errors } = await casebook.graphql(`{ ${names} }`);
    expect(errors).toBeUndefined();
    expect(data['a28'].total.points).toHaveLength(984);
  });

  it('are refused of each change that a subscription tells, which goes on', async () => {
    Object.assign(LIMITS, { values: FEWER });
    const subscription = await subscribe(
      casebook.url,
      `subscription { incidentChanged { incident { problem { guides { ${PROBLEMS} } } } } }`,
    );
    await casebook.post('prod', e4011({ name: 'one' }));
    await casebook.post('prod', e4011({ name: 'two' }));
    for (const answer of await subscription.next(2)) {
      expect(answer).toMatchObject({ data: null, errors: [{ extensions: { code: 'TOO_LARGE' } }] });
    }
    await subscription.close();
  });

  it('let tools read the schema', async () => {
    const { data, errors } = await casebook.graphql(TOOLS);
    expect(errors).toBeUndefined();
    expect(data['__schema'].types.length).toBeGreaterThan(100);
  });
});
