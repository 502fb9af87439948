import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../src/platform/scope.js';
import { Database } from '../../src/store/database.service.js';
import { Sealer } from '../../src/store/seal.service.js';
import type { WatchCredential } from '../../src/store/watch-credential.js';
import type { WatchReport } from '../../src/store/watch-lease.js';
import { WatchRepository } from '../../src/store/watch.repository.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';

const TTL = 60_000;
const SECRET = 'token-that-nobody-may-read';
const credential: WatchCredential = {
  server: 'https://10.0.0.1:6443',
  certificateAuthority: null,
  serverName: null,
  login: { token: SECRET },
  insecure: false,
};

let test: TestDatabase;
let database: Database;
let watches: WatchRepository;
let cluster: { id: number; name: string };
let clusters = 0;

beforeAll(async () => {
  test = await createTestDatabase();
  database = new Database({ url: test.url, pool: 5 });
  watches = new WatchRepository(database, new Sealer({ current: 'ab'.repeat(32) }));
});
afterAll(async () => {
  await database.onApplicationShutdown();
  await test.drop();
});
beforeEach(async () => {
  cluster = await register();
});

async function register(): Promise<{ id: number; name: string }> {
  const { rows } = await test.pool.query<{ id: number; name: string }>(
    `INSERT INTO cluster (name, provider) VALUES ($1, 'kubernetes') RETURNING id, name`,
    [`watched-${clusters++}`],
  );
  return rows[0]!;
}

const replica = (): { id: string; name: string } => {
  const id = randomUUID();
  return { id, name: `replica-${id.slice(0, 4)}` };
};
const take = (who: { id: string; name: string }, ttl = TTL, id = cluster.id) => watches.take(who, [{ clusterId: id, mode: 'stored' }], ttl);
const wellSince = (since: number): WatchReport => ({ phase: 'watching', since, server: credential.server, error: null, unfollowed: [] });
const watchOf = async (id = cluster.id) => (await watches.find(EVERYTHING, [id]))[0];

/** Lets the lease lapse by the database's clock, as if its holder had not renewed it. */
const lapse = (id = cluster.id) =>
  test.pool.query(`UPDATE watch_lease SET expires_at = now() - interval '1 second' WHERE cluster_id = $1`, [id]);

describe('a watch lease', () => {
  it('goes to one of many that want it at the same moment', async () => {
    await watches.put(cluster, credential);
    const taken = await Promise.all(Array.from({ length: 8 }, () => take(replica())));
    expect(taken.map((leases) => leases.length).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
    expect(taken.flat()[0]).toMatchObject({ cluster, mode: 'stored', position: null, lapsedHolder: null });
  });

  it('stays with its holder while it is renewed, and goes to another when it has lapsed', async () => {
    await watches.put(cluster, credential);
    const [a, b] = [replica(), replica()];
    const [first] = await take(a);
    expect(await take(b)).toEqual([]);
    expect(await watches.renew(a.id, [{ clusterId: cluster.id, epoch: first!.epoch, ...wellSince(0) }], TTL)).toEqual([cluster.id]);
    await lapse();
    const [second] = await take(b);
    expect(second).toMatchObject({ lapsedHolder: a.name });
    expect(second!.epoch).toBeGreaterThan(first!.epoch);
    expect(await watches.renew(a.id, [{ clusterId: cluster.id, epoch: first!.epoch, ...wellSince(0) }], TTL)).toEqual([]);
    expect(await watchOf()).toMatchObject({ holder: b.name, state: 'connecting' });
  });

  it('keeps the position from a holder that slept through the end of its lease', async () => {
    await watches.put(cluster, credential);
    const [a, b] = [replica(), replica()];
    const old = (await take(a))[0]!.epoch;
    const server = credential.server;
    expect(await watches.storePosition({ clusterId: cluster.id, epoch: old, position: '100', server })).toBe(true);
    await lapse();
    const [taken] = await take(b);
    expect(taken).toMatchObject({ position: '100', positionServer: server });
    expect(await watches.storePosition({ clusterId: cluster.id, epoch: taken!.epoch, position: '200', server })).toBe(true);
    expect(await watches.storePosition({ clusterId: cluster.id, epoch: old, position: '101', server })).toBe(false);
    await watches.release(a.id, [old]);
    expect(await take(a)).toEqual([]);
    await watches.release(b.id, [taken!.epoch]);
    expect((await take(a))[0]).toMatchObject({ position: '200', lapsedHolder: null });
  });

  it('is lost, with its position, when another credential is stored, and when the watch is ended and begun anew', async () => {
    const a = replica();
    const server = credential.server;
    await watches.put(cluster, credential);
    for (const change of [
      () => watches.put(cluster, credential),
      () => watches.drop(cluster).then(() => watches.put(cluster, credential)),
    ]) {
      const { epoch } = (await take(a))[0]!;
      expect(await watches.storePosition({ clusterId: cluster.id, epoch, position: '5', server })).toBe(true);
      await change();
      expect(await watches.renew(a.id, [{ clusterId: cluster.id, epoch, ...wellSince(0) }], TTL)).toEqual([]);
      expect(await watches.storePosition({ clusterId: cluster.id, epoch, position: '6', server })).toBe(false);
      const [again] = await take(a);
      expect(again!.position).toBeNull();
      // The old one may still be ending, in the same replica.
      expect(await watches.storePosition({ clusterId: cluster.id, epoch, position: '6', server })).toBe(false);
      await watches.release(a.id, [again!.epoch]);
    }
  });

  it('tells what its holder says, and that nobody watches once it has lapsed', async () => {
    await watches.put(cluster, credential);
    expect(await watchOf()).toMatchObject({
      mode: 'stored',
      state: 'unassigned',
      holder: null,
      server: credential.server,
      positionAge: null,
    });
    const a = replica();
    const { epoch } = (await take(a))[0]!;
    const error = { code: 'FORBIDDEN', message: 'events is forbidden', at: 5_000 };
    const unfollowed = [{ kind: 'Pod', reason: 'forbidden' }];
    await watches.renew(
      a.id,
      [{ clusterId: cluster.id, epoch, phase: 'backing-off', since: 4_000, server: 'https://b', error, unfollowed }],
      TTL,
    );
    const told = {
      state: 'backing-off',
      since: 4_000,
      errorCode: 'FORBIDDEN',
      error: error.message,
      errorAt: 5_000,
      server: 'https://b',
      unfollowed,
    };
    expect(await watchOf()).toMatchObject({ ...told, holder: a.name });
    expect((await watches.find({ clusters: [cluster.name], namespaces: null })).map(({ clusterId }) => clusterId)).toEqual([cluster.id]);
    expect(await watches.find({ clusters: ['another'], namespaces: null }, [cluster.id])).toEqual([]);
    expect(await watches.find({ clusters: null, namespaces: ['shop'] }, [cluster.id])).toEqual([]);
    await lapse();
    expect(await watchOf()).toMatchObject({ state: 'unassigned', holder: null, error: error.message });
  });

  it('is shared among the living, and not for clusters that are suspended', async () => {
    const other = await register();
    for (const each of [cluster, other]) await watches.put(each, credential);
    await test.pool.query('UPDATE cluster SET suspended_at = now() WHERE id = $1', [other.id]);
    const [a, b] = [replica(), replica()];
    await watches.beat({ ...a, configured: new Map([[cluster.id, 'kubeconfig']]) }, TTL);
    await watches.beat({ ...b, configured: new Map() }, -1);
    await take(a);
    const { replicas, leases } = await watches.shares();
    expect(replicas).toEqual([{ id: a.id, configured: [cluster.id], opensStored: true }]);
    expect(leases.filter(({ clusterId }) => clusterId >= cluster.id)).toEqual([{ clusterId: cluster.id, stored: true, holder: a.id }]);
    await expect(watches.put(cluster, credential)).rejects.toMatchObject({ code: 'WATCH_CONFIGURED' });
    await expect(watches.drop(cluster)).rejects.toMatchObject({ code: 'WATCH_CONFIGURED' });
    await watches.retire(a.id);
    expect(await watches.shares()).toMatchObject({ replicas: [] });
    expect(await watchOf()).toMatchObject({ state: 'unassigned' });
  });

  it('is made for a cluster that a replica is configured to watch, and gone with the cluster', async () => {
    const a = replica();
    await watches.beat(
      {
        ...a,
        configured: new Map([
          [cluster.id, 'in-cluster'],
          [2_000_000, 'kubeconfig'],
        ]),
      },
      TTL,
    );
    expect(await watchOf()).toMatchObject({ mode: 'in-cluster', state: 'unassigned' });
    await watches.retire(a.id);
    await test.pool.query('DELETE FROM cluster WHERE id = $1', [cluster.id]);
    expect(await watchOf()).toBeUndefined();
  });
});

describe('a stored credential', () => {
  it('is sealed, and opens for its own cluster alone', async () => {
    const other = await register();
    for (const each of [cluster, other]) await watches.put(each, credential);
    const { rows } = await test.pool.query<{ sealed: string }>('SELECT sealed FROM watch_credential');
    expect(
      rows.every(({ sealed }) => !sealed.includes(SECRET) && !Buffer.from(sealed.split('.').at(-1)!, 'base64url').includes(SECRET)),
    ).toBe(true);
    expect(await watches.credential(cluster.id)).toEqual(credential);
    await test.pool.query(
      'UPDATE watch_credential SET sealed = (SELECT sealed FROM watch_credential WHERE cluster_id = $1) WHERE cluster_id = $2',
      [other.id, cluster.id],
    );
    await expect(watches.credential(cluster.id)).rejects.toMatchObject({ code: 'SECRET_UNREADABLE' });
  });

  it('is not taken by a service without a key', async () => {
    const keyless = new WatchRepository(database, new Sealer({}));
    await expect(keyless.put(cluster, credential)).rejects.toMatchObject({ code: 'NO_SECRET_KEY' });
    expect(await watchOf()).toBeUndefined();
  });

  it('is gone when the watch is ended', async () => {
    await watches.put(cluster, credential);
    expect(await watches.drop(cluster)).toBe(true);
    expect(await watches.drop(cluster)).toBe(false);
    expect(await watches.credential(cluster.id)).toBeUndefined();
  });
});

describe('objects that something is open about', () => {
  it('are paged by their key, each once, without those that have recovered', async () => {
    const { rows } = await test.pool.query<{ id: string }>(
      `INSERT INTO incident (cluster_id, problem_id, subject_key, subject_kind, subject_namespace, subject_name, subject_rank, provider, severity,
         status, occurrences, affected_count, open_count, first_seen_at, last_seen_at, diagnosis, diagnosis_order)
       VALUES ($1, 'p', 's', 'Pod', 'shop', 'a', 1, 'kubernetes', 'error', 'open', 1, 1, 1, now(), now(), '{}', '') RETURNING id`,
      [cluster.id],
    );
    await test.pool.query(
      `INSERT INTO affected (cluster_id, incident_id, object_key, container, problem_id, kind, namespace, name, subject_kind, subject_rank, expects,
         settle_ms, occurrences, first_at, started_at, last_at, ended_at)
       SELECT $1, $2, 'Pod/shop/' || n, c, 'p', CASE n WHEN 'z' THEN 'Node' ELSE 'Pod' END, 'shop', n, 'Pod', 1, '{}', 0, 1, now(), now(),
         to_timestamp(CASE c WHEN 'x' THEN 5 ELSE 7 END), CASE n WHEN 'b' THEN now() END
       FROM unnest(ARRAY['a', 'b', 'c', 'z']) AS n, unnest(ARRAY['x', 'y']) AS c`,
      [cluster.id, rows[0]!.id],
    );
    const open = (name: string) => ({ key: `Pod/shop/${name}`, kind: 'Pod', namespace: 'shop', name, lastAt: 7_000 });
    expect(await watches.openObjects(cluster.id, { kinds: ['Pod'], after: '', limit: 1 })).toEqual([open('a')]);
    expect(await watches.openObjects(cluster.id, { kinds: ['Pod'], after: 'Pod/shop/a', limit: 5 })).toEqual([open('c')]);
    expect(await watches.openObjects(cluster.id, { kinds: ['Job'], after: '', limit: 5 })).toEqual([]);
  });
});
