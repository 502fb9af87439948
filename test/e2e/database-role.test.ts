import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, inject, it, onTestFinished } from 'vitest';
import { e4011 } from '../support/core-event.js';
import { startTestCasebook } from '../support/start-casebook.js';

it('the service needs no right but to own its database, as docs/operations.md makes it', async () => {
  const name = `owner_${randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${name}`);
    await admin.end();
  });
  const [, sql] = /```sql\n(CREATE ROLE [^]*?)```/.exec(await readFile('docs/operations.md', 'utf8'))!;
  for (const statement of sql!.replaceAll('casebook', name).replace('<password>', 'secret').split(';\n')) await admin.query(statement);
  const url = Object.assign(new URL(inject('postgresUrl')), { username: name, password: 'secret', pathname: `/${name}` }).href;

  const casebook = await startTestCasebook({ DATABASE_URL: url });
  try {
    await casebook.register('prod');
    expect((await casebook.post('prod', e4011())).body).toMatchObject({ accepted: 1 });
    expect((await casebook.send('GET', '/readyz')).status).toBe(200);
    expect((await casebook.graphql('{ incidentChangeCursor }')).errors).toBeUndefined();
    // A warning would tell of a job that could not do its work, such as making the partitions of the days to come.
    expect(casebook.logged).toEqual([]);
  } finally {
    await casebook.stop();
  }
});
