import { afterAll, beforeAll, expect, it } from 'vitest';
import { RediagnosisRepository } from '../../src/store/rediagnosis.repository.js';
import { coreEvent } from '../support/core-event.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;
let repository: RediagnosisRepository;

beforeAll(async () => {
  casebook = await startTestCasebook();
  repository = casebook.app.get(RediagnosisRepository);
});
afterAll(() => casebook.stop());

const failed = (name: string, uid: string, message: string): Record<string, unknown> =>
  coreEvent({ uid, name, reason: 'BackOff', message: `Back-off restarting failed container app in pod web ${message}`, container: 'app' });

it('reads a full page of open incidents while others are being removed', async () => {
  for (const name of ['going', 'staying']) await casebook.register(name);
  await casebook.post('going', [failed('one', 'one', ''), failed('two', 'two', '')]);
  await casebook.post('staying', [failed('one', 'one', ''), failed('two', 'two', '')]);
  const { rows } = await casebook.database.pool.query<{ id: string; name: string }>(
    'SELECT i.id, c.name FROM incident i JOIN cluster c ON c.id = i.cluster_id ORDER BY i.id',
  );
  const staying = rows.filter(({ name }) => name === 'staying').map(({ id }) => id);
  const client = await casebook.database.pool.connect();
  try {
    // Held, so that the removal cannot have begun to delete.
    await client.query(`BEGIN; SELECT FROM incident FOR UPDATE`);
    await casebook.database.pool.query(`UPDATE cluster SET removing_at = now() WHERE name = 'going'`);
    expect((await repository.openIncidents(null, 2)).map(({ id }) => id)).toEqual(staying);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

it('reads the latest Events of an incident up to a bounded length of text, and one however long it is', async () => {
  await casebook.register('wordy');
  const long = 'x'.repeat(60_000);
  await casebook.post(
    'wordy',
    Array.from({ length: 10 }, (_, i) => failed('talker', `talker-${i}`, long)),
  );
  const [talker] = (await repository.openIncidents(null, 100)).filter(({ events }) => events[0]!.message.length > 60_000);
  expect(talker!.events).toHaveLength(3);
  expect(talker!.moved).toBe(false);
});
