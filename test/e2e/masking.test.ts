import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coreEvent } from '../support/core-event.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

/** Put together, so that no scanner takes this file for a leak. */
const SECRETS = [
  ['Authorization: Bearer ', 'aB3dE5gH7jK9mN1pQ4sT6vW8'].join(''),
  ['-----BEGIN ', 'PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END ', 'PRIVATE KEY-----'].join(''),
  ['db_password=', 'corr3ct-h0rse'].join(''),
  ['amqp://shop:', 'corr3ct-h0rse', '@mq:5672'].join(''),
  ['mail to jane', '@', 'shop.example.com'].join(''),
  'customer CUST-20931',
];
const GONE = ['aB3dE5gH7jK9', 'MIIEvQIBADANB', 'corr3ct-h0rse', 'jane', 'CUST-20931'];

let folder: string;
let casebook: TestCasebook;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casebook-mask-'));
  await writeFile(join(folder, 'patterns.txt'), '# numbers of customers\n\nCUST-\\d+\n');
  casebook = await startTestCasebook({ LOG_LEVEL: 'debug', CASEBOOK_MASK_PATTERNS: join(folder, 'patterns.txt') });
});
afterAll(async () => {
  await casebook.stop();
  await rm(folder, { recursive: true });
});

/** Everything that stands in the database, as text. */
async function stored(): Promise<string> {
  const { pool } = casebook.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  );
  const texts = await Promise.all(tables.map(async ({ name }) => JSON.stringify((await pool.query(`SELECT t::text FROM ${name} t`)).rows)));
  return texts.join('\n');
}

describe('what is stored of messages', () => {
  it('holds no secrets, no addresses of people and nothing of own patterns, whatever door they come by', async () => {
    const token = await casebook.register('masked');
    const events = SECRETS.map((secret, i) => coreEvent({ uid: `known-${i}`, message: `Error: ImagePullBackOff after ${secret}` }));
    events.push(
      ...SECRETS.map((secret, i) => coreEvent({ uid: `unknown-${i}`, reason: 'Odd', message: `odd thing ${i}: ${secret} happened` })),
    );
    const posted = await casebook.post(
      'masked',
      { kind: 'List', items: [...events, SECRETS.join(' ')] },
      token,
    );
    expect(posted).toMatchObject({ status: 200, body: { accepted: events.length } });
    const log = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: `a line with ${SECRETS.join(' and ')}` } }] }] }] };
    expect(await casebook.send('POST', '/v1/clusters/masked/otlp/v1/logs', { body: log, token })).toMatchObject({ status: 200 });
    const broken = await casebook.send('POST', '/v1/clusters/masked/events', { body: `not an event: ${SECRETS.join(' ')}`, token });
    expect(broken.status).toBeLessThan(500);
    await casebook.post('masked', [coreEvent({ uid: 'last', message: 'the last one' })], token);
    await expect.poll(stored).toMatch(/not an event/);

    const everything = await stored();
    expect(everything).toContain('odd thing 3: amqp://shop:***@mq:5672 happened');
    expect(everything).toContain('customer *** happened');
    for (const secret of GONE) {
      expect(everything).not.toContain(secret);
      expect(casebook.logged.join('\n')).not.toContain(secret);
    }
  });

  it('is the same event when it is sent again', async () => {
    const token = await casebook.register('again');
    const event = coreEvent({ uid: 'twice', reason: 'Odd', message: `odd: ${SECRETS[2]!}` });
    expect((await casebook.post('again', [event], token)).body).toMatchObject({ accepted: 1, merged: 0 });
    expect((await casebook.post('again', [event], token)).body).toMatchObject({ accepted: 0, merged: 1 });
  });
});

describe('a wrong file of patterns', () => {
  it.each([
    ['CUST-\\d+\n  bad(\\d+\n', /patterns-bad\.txt:2:3: missing closing \)/],
    ['ok\nx*\n', /patterns-bad\.txt:2:1: .* matches the empty text/],
  ])('stops the start and says where: %j', async (text, message) => {
    const file = join(folder, 'patterns-bad.txt');
    await writeFile(file, text);
    await expect(startTestCasebook({ CASEBOOK_MASK_PATTERNS: file })).rejects.toMatchObject({
      code: 'MASK_PATTERNS',
      message: expect.stringMatching(message),
    });
  });

  it('stops the start when it is not there', async () => {
    await expect(startTestCasebook({ CASEBOOK_MASK_PATTERNS: join(folder, 'none.txt') })).rejects.toMatchObject({
      message: expect.stringMatching(/cannot read .*none\.txt \(ENOENT\)/),
    });
  });
});
