import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClusterRemovalRepository } from '../../src/store/cluster-removal.repository.js';
import { crash, e4011 } from '../support/core-event.js';
import type { GraphqlAnswer, TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({ CASEBOOK_SECRET_KEY: 'ab'.repeat(32) });
});
afterAll(() => casebook?.stop());

/** Rows of a cluster in every table that has clusters, partitions included, by the name of the table; without empty ones. */
async function rowsOf(clusterId: number): Promise<Record<string, number>> {
  const { rows: tables } = await casebook.database.pool.query<{ table_name: string }>(
    `SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'cluster_id' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { table_name: table } of tables) {
    const { rows } = await casebook.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${table}" WHERE cluster_id = $1`, [
      clusterId,
    ]);
    if (rows[0]!.n > 0) counts[table] = rows[0]!.n;
  }
  return counts;
}

/** Rows of tables that hang on others by foreign keys only: everything in them has to belong to something. */
async function total(table: string): Promise<number> {
  return (await casebook.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]!.n;
}

async function idOf(name: string): Promise<number> {
  return (await casebook.database.pool.query<{ id: number }>('SELECT id FROM cluster WHERE name = $1', [name])).rows[0]!.id;
}

/** Fills every table: open and ended incidents, earlier periods, success events, tokens and secrets. */
async function fill(name: string, objects = 30): Promise<void> {
  const at = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
  const failures = Array.from({ length: objects }, (_, i) => [
    crash({ name: `web-${i}-6d4cf56db6-x2x5p`, uid: `${name}-crash-${i}-1`, at: at(900) }),
    crash({ name: `web-${i}-6d4cf56db6-x2x5p`, uid: `${name}-crash-${i}-2`, at: at(3) }),
    e4011({ name: `web-${i}`, uid: `${name}-e4011-${i}`, at: at(20) }),
    {
      ...e4011({ name: `web-${i}`, uid: `${name}-fine-${i}`, at: at(10) }),
      type: 'Normal',
      reason: 'EnsureServiceSuccess',
      message: 'Service Sync Success. RetrunCode: S2000',
    },
  ]);
  expect((await casebook.post(name, failures.flat())).status).toBe(200);
  await casebook.graphql(`mutation { rotateSigningSecret(name: "${name}") { secret } }`);
}

const remove = (name: string, confirm = name): Promise<GraphqlAnswer<Record<string, unknown>>> =>
  casebook.graphql(`mutation { removeCluster(name: "${name}", confirm: "${confirm}") { name state } }`);
const gone = (name: string): Promise<void> =>
  vi.waitFor(async () => expect((await casebook.graphql(`{ cluster(name: "${name}") { name } }`)).data['cluster']).toBeNull(), {
    timeout: 20_000,
    interval: 50,
  });

describe('removeCluster', () => {
  it('removes everything of a cluster, and nothing of another', async () => {
    for (const name of ['stays', 'goes']) {
      await casebook.register(name);
      await fill(name);
    }
    const [stays, goes] = [await idOf('stays'), await idOf('goes')];
    const before = await rowsOf(stays);
    expect(Object.keys(before)).toEqual(
      expect.arrayContaining(['affected', 'cluster_token', 'event', 'event_key', 'incident', 'sighting', 'signal', 'signing_secret']),
    );
    expect(Object.keys(await rowsOf(goes))).toEqual(Object.keys(before));
    const [episodes, intervals] = [await total('episode'), await total('affected_interval')];
    expect(Math.min(episodes, intervals)).toBeGreaterThan(0);
    expect((await remove('goes')).data['removeCluster']).toEqual({ name: 'goes', state: 'REMOVING' });
    await gone('goes');
    expect(await rowsOf(goes)).toEqual({});
    expect(await rowsOf(stays)).toEqual(before);
    expect([await total('episode'), await total('affected_interval')]).toEqual([episodes / 2, intervals / 2]);
    const { data } = await casebook.graphql('{ clusters { name } incidents(first: 200) { nodes { cluster { name } } } }');
    expect(data['clusters']).toEqual([{ name: 'stays' }]);
    expect(new Set(data['incidents'].nodes.map((node: { cluster: { name: string } }) => node.cluster.name))).toEqual(new Set(['stays']));
  });

  it('closes the cluster at once, frees its name in the end, and goes on where it was interrupted', async () => {
    const holder = await casebook.database.pool.connect();
    let [token, id] = ['', 0];
    try {
      // While its row is held the background cannot get ahead of this test; should it have been faster, once more.
      for (let held = 0; held === 0;) {
        token = await casebook.register('closing');
        await fill('closing');
        id = await idOf('closing');
        expect((await remove('closing')).errors).toBeUndefined();
        await holder.query('BEGIN');
        held = (await holder.query('SELECT FROM cluster WHERE id = $1 FOR UPDATE', [id])).rowCount!;
        if (held === 0) await holder.query('ROLLBACK');
      }
      expect((await casebook.post('closing', e4011(), token)).status).toBe(401);
      const { status, body } = await casebook.post('closing', e4011());
      expect([status, body.error?.message]).toEqual([404, 'The cluster named "closing" is being removed.']);
      for (const call of ['resumeCluster(name: "closing")', 'updateCluster(name: "closing", input: { region: "x" })']) {
        expect((await casebook.graphql(`mutation { ${call} { name } }`)).errors![0]!.extensions.code).toBe('CONFLICT');
      }
      expect((await casebook.graphql('mutation { rotateClusterToken(name: "closing") { token } }')).errors![0]!.extensions.code).toBe(
        'CONFLICT',
      );
      expect((await casebook.send('POST', '/v1/clusters', { body: { name: 'closing' } })).body.error).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('still being removed'),
      });
      expect((await remove('closing')).data['removeCluster']).toEqual({ name: 'closing', state: 'REMOVING' });
      expect(await casebook.app.get(ClusterRemovalRepository).step(id)).toBe('busy');
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await gone('closing');
    expect(await rowsOf(id)).toEqual({});
    expect(await casebook.app.get(ClusterRemovalRepository).step(id)).toBe('gone');
    await casebook.register('closing');
    expect((await casebook.post('closing', e4011())).body).toMatchObject({ accepted: 1 });
  });

  it('holds up nobody else', async () => {
    await casebook.register('big');
    await casebook.register('neighbour');
    await fill('big', 300);
    const id = await idOf('big');
    await remove('big');
    let answers = 0;
    for (let removed = false; !removed; answers++) {
      const { status } = await casebook.post('neighbour', e4011({ uid: `neighbour-${answers}` }));
      expect(status).toBe(200);
      removed = (await casebook.graphql('{ cluster(name: "big") { name } }')).data['cluster'] === null;
    }
    expect(answers).toBeGreaterThan(0);
    expect(await rowsOf(id)).toEqual({});
    const { rows } = await casebook.database.pool.query(
      'SELECT count(*)::int AS n FROM event e JOIN cluster c ON c.id = e.cluster_id WHERE c.name = $1',
      ['neighbour'],
    );
    expect(rows).toEqual([{ n: answers }]);
  });

  it('is not done without the name said twice', async () => {
    await casebook.register('guarded');
    expect((await remove('guarded', 'guarde')).errors![0]).toMatchObject({
      extensions: { code: 'BAD_INPUT' },
      message: expect.stringContaining('"guarded" once more'),
    });
    expect((await casebook.graphql('{ cluster(name: "guarded") { state } }')).data['cluster']).toEqual({ state: 'ACTIVE' });
  });
});
