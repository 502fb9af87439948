import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Casebook } from '../../src/casebook.service.js';
import { startCasebook } from '../../src/casebook.service.js';
import { parseConfig } from '../../src/config/config.js';
import { createLogger } from '../../src/platform/logger.service.js';
import { crash, e4011 } from '../support/core-event.js';
import { startTestCasebook } from '../support/start-casebook.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { waitUntil } from '../support/wait-until.js';

/** What a later version may do to a database that the version before uses. */
const NEXT = '29990101000000_add_something';
const ADDS = `ALTER TABLE incident ADD COLUMN something text NOT NULL DEFAULT 'as before';
  ALTER TABLE event ADD COLUMN something integer;
  CREATE TABLE something (incident_id uuid PRIMARY KEY REFERENCES incident ON DELETE CASCADE);`;

describe('while a later version takes the place of this one', () => {
  let old: TestCasebook;
  let folder: string;
  const later: Casebook[] = [];

  beforeAll(async () => {
    old = await startTestCasebook();
    await old.register('prod');
    folder = await mkdtemp(join(tmpdir(), 'casebook-upgrade-'));
    await cp(resolve('prisma/migrations'), folder, { recursive: true });
    await mkdir(join(folder, NEXT));
    await writeFile(join(folder, NEXT, 'migration.sql'), ADDS);
  });
  afterAll(async () => {
    for (const casebook of later) await casebook.stop();
    await old?.stop();
    await rm(folder, { recursive: true });
  });

  const start = (migrations: string): Promise<Casebook> => {
    const config = parseConfig({ PORT: '0', DATABASE_URL: old.database.url, CASEBOOK_DATABASE_POOL: '5' });
    return startCasebook({ config, logger: createLogger('silent'), folders: { knowledge: resolve('test/support/knowledge'), migrations } });
  };

  it('this one goes on, through the migration and beside the later one', async () => {
    const answers: unknown[] = [];
    let over = false;
    const sending = (async () => {
      for (let i = 0; !over; i++) answers.push((await old.post('prod', [crash({ uid: `during-${i}`, name: `during-${i}` })])).body);
    })();
    await waitUntil(
      () => answers.length,
      (count) => count > 0,
    );
    later.push(await start(folder));
    const before = answers.length;
    await waitUntil(
      () => answers.length,
      (count) => count > before,
    );
    over = true;
    await sending;
    expect(answers).toEqual(answers.map(() => ({ accepted: 1, merged: 0, rejected: [] })));
    expect((await old.send('GET', '/readyz')).status).toBe(200);

    // Each sees what the other stored, and what both were sent counts once.
    const near = e4011({ uid: 'shared' });
    const far = await fetch(`${later[0]!.url}/v1/clusters/prod/events`, { method: 'POST', body: JSON.stringify(near) });
    expect(await far.json()).toMatchObject({ accepted: 1 });
    expect((await old.post('prod', near)).body).toMatchObject({ accepted: 0, merged: 1 });
    const { data } = await old.graphql('{ incidents(filter: { codes: ["E4011"] }) { nodes { occurrences } } }');
    expect(data['incidents'].nodes).toEqual([{ occurrences: 1 }]);
  });

  it('this one does not start again, and says why', async () => {
    await expect(start(resolve('prisma/migrations'))).rejects.toMatchObject({
      code: 'DATABASE_NEWER',
      message: expect.stringContaining(NEXT),
    });
    expect((await old.send('GET', '/readyz')).status).toBe(200);
  });
});
