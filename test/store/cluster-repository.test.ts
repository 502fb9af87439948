import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../src/platform/scope.js';
import { ClusterCredentialRepository } from '../../src/store/cluster-credential.repository.js';
import { hashToken, looksLikeClusterToken } from '../../src/store/cluster-token.service.js';
import { ClusterRepository } from '../../src/store/cluster.repository.js';
import { Database } from '../../src/store/database.service.js';
import { Prisma } from '../../src/store/prisma.service.js';
import { Registrations } from '../../src/store/registrations.service.js';
import { Sealer } from '../../src/store/seal.service.js';
import type { TestDatabase } from '../support/test-database.js';
import { createTestDatabase } from '../support/test-database.js';

const CLUSTER = { name: 'prod', provider: 'tke', region: null, labels: {} };

let database: TestDatabase;
let store: Database;
let prisma: Prisma;
let clusters: ClusterRepository;
let credentials: ClusterCredentialRepository;

beforeAll(async () => {
  database = await createTestDatabase();
  store = new Database({ url: database.url, pool: 5 });
  prisma = new Prisma(store);
  const registrations = new Registrations();
  clusters = new ClusterRepository(prisma, store, registrations);
  credentials = new ClusterCredentialRepository(prisma, store, new Sealer({}), registrations);
});
afterAll(async () => {
  await prisma.onApplicationShutdown();
  await store.onApplicationShutdown();
  await database.drop();
});

describe('ClusterRepository', () => {
  it('registers a cluster with a token that finds it again', async () => {
    const { cluster, token } = await clusters.register({ ...CLUSTER, region: 'ap-guangzhou', labels: { team: 'shop' } });
    expect(cluster).toMatchObject({
      name: 'prod',
      provider: 'tke',
      region: 'ap-guangzhou',
      labels: { team: 'shop' },
      lastHeardAt: null,
      createdAt: expect.any(Date),
    });
    expect(looksLikeClusterToken(token)).toBe(true);
    expect(await credentials.findToken(hashToken(token))).toEqual({ id: expect.any(Number), expiresAt: null, cluster });
    expect(await clusters.findByName('prod', EVERYTHING)).toEqual(cluster);
    expect(await clusters.findByIds([cluster.id, -1])).toEqual([cluster]);
    expect(await credentials.findToken(hashToken('another'))).toBeUndefined();
    expect(await clusters.findByName('another', EVERYTHING)).toBeUndefined();
  });

  it('gives a name once, whoever comes first, and leaves nothing of the others behind', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => clusters.register({ ...CLUSTER, name: 'raced' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'CLUSTER_EXISTS' });
    const { rows } = await database.pool.query(
      'SELECT count(*)::int AS tokens FROM cluster_token t JOIN cluster c ON c.id = t.cluster_id WHERE c.name = $1',
      ['raced'],
    );
    expect(rows).toEqual([{ tokens: 1 }]);
  });

  it('keeps odd but lawful values as they are', async () => {
    const labels = { __proto__x: '1', 'a b': "'; DROP TABLE cluster; --", 名: '字\u2028' };
    await clusters.register({ ...CLUSTER, name: 'odd', labels });
    expect((await clusters.findByName('odd', EVERYTHING))?.labels).toEqual(labels);
  });

  it('lists by name', async () => {
    expect((await clusters.list(EVERYTHING)).map(({ name }) => name)).toEqual(['odd', 'prod', 'raced']);
  });
});
