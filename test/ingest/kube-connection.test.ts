import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClusterWatch } from '../../src/ingest/watch/cluster-watch.service.js';
import type { WatchSurroundings } from '../../src/ingest/watch/cluster-watch.service.js';
import { fromKubeconfig, fromServiceAccount } from '../../src/ingest/watch/kube-connection.service.js';
import type { WatchPosition } from '../../src/store/statements/store-watch-position.js';
import { clusterEvent } from '../support/api-server-under-test.js';
import { FakeApiServer } from '../support/fake-api-server.js';
import type { ApiObject } from '../support/fake-api-store.js';
import { waitUntil } from '../support/wait-until.js';

const SECRET = 'a-token-that-must-not-be-told';

let folder: string;
let server: FakeApiServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casebook-kube-'));
  server = await FakeApiServer.start();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});
afterEach(() => void vi.unstubAllEnvs());

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const config = (parts: object): string => JSON.stringify({ contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }], ...parts });
const clusters = [{ name: 'c', cluster: { server: 'https://10.0.0.1:6443' } }];

describe('fromKubeconfig', () => {
  it('takes a context from the first file that has it, each with its own cluster and user', async () => {
    const users = [{ name: 'u', user: { token: SECRET } }];
    const first = await file('first', config({ clusters, users }));
    const second = await file(
      'second',
      config({ clusters: [{ name: 'c', cluster: { server: 'https://b' } }], users, 'current-context': 'y' }),
    );
    expect(fromKubeconfig([join(folder, 'absent'), first, second], 'x').getCurrentCluster()?.server).toBe('https://10.0.0.1:6443');
    expect(fromKubeconfig([second, first], 'x').getCurrentCluster()?.server).toBe('https://b');
  });

  it.each([
    ['empty', '', 'cannot be read (it is not YAML'],
    ['null', 'null', 'cannot be read (it is not a kubeconfig)'],
    ['yaml', `users:\n  - name: u\n   user: {token: ${SECRET}`, 'cannot be read (it is not YAML: see line 3)'],
    ['list', config({ clusters: [{ name: 'c', cluster: {} }] }), 'clusters[0].cluster.server is missing'],
    ['no-cluster', config({}), 'names a cluster "c", which is not in the same file'],
    ['no-user', config({ clusters }), 'names a user "u", who is not in the same file'],
    ['no-address', config({ clusters: [{ name: 'c', cluster: { server: '10.0.0.1' } }] }), 'the server is no address such as'],
    [
      'another',
      JSON.stringify({ contexts: [{ name: 'y', context: { cluster: 'c', user: 'u' } }] }),
      'There is no context "x": FILE has "y"',
    ],
  ])('says what is wrong with a file that is %s, and tells nothing out of it', async (name, text, expected) => {
    const path = await file(name, text);
    const error = await Promise.resolve()
      .then(() => fromKubeconfig([path], 'x'))
      .then(
        () => undefined,
        (thrown: Error) => thrown,
      );
    expect(error).toMatchObject({ code: 'WATCH_SOURCE', message: expect.stringContaining(expected.replace('FILE', path)) });
    expect(JSON.stringify([error?.message, error?.cause])).not.toContain(SECRET);
  });
});

/** Follows the fake server under a lease, and what was stored. */
function watch(connect: WatchSurroundings['connect'], position: string | null = null, positionServer: string | null = null) {
  const events: string[] = [];
  const positions: WatchPosition[] = [];
  let owned = true;
  const lease = {
    cluster: { id: 1, name: 'home', provider: 'kubernetes' },
    mode: 'in-cluster',
    epoch: 7,
    position,
    positionServer,
    lapsedHolder: null,
  } as const;
  const running = new ClusterWatch(lease, {
    connect,
    intake: {
      submit: (_cluster, batch) => {
        events.push(...batch.map(({ uid }) => uid));
        return Promise.resolve({ accepted: batch.length, merged: 0 });
      },
    },
    watches: {
      storePosition: (at) => {
        positions.push(at);
        return Promise.resolve(owned);
      },
      openObjects: () => Promise.resolve([]),
    },
    now: Date.now,
    changed: () => undefined,
    tell: () => undefined,
  });
  return { running, events, positions, disown: () => void (owned = false) };
}

const put = (name: string): string | undefined =>
  server.store.put('events', clusterEvent({ name, at: Date.now() }) as unknown as ApiObject).metadata.uid;

describe('ClusterWatch', () => {
  it('watches by the service account of a Pod, which is mounted as files', async () => {
    const mounted = join(folder, 'var/run/secrets/kubernetes.io/serviceaccount');
    await mkdir(mounted, { recursive: true });
    await writeFile(join(mounted, 'token'), server.token);
    await writeFile(join(mounted, 'ca.crt'), server.ca);
    const { hostname, port } = new URL(server.url);
    vi.stubEnv('KUBERNETES_SERVICE_HOST', hostname);
    vi.stubEnv('KUBERNETES_SERVICE_PORT', port);
    const uid = put('by-account');
    const { running, events, positions } = watch(() => Promise.resolve(fromServiceAccount(folder)));
    await waitUntil(
      () => running.report.phase,
      (phase) => phase === 'watching',
    );
    expect(events).toContain(uid);
    expect(positions.at(-1)).toEqual({ clusterId: 1, epoch: 7, position: String(server.store.revision), server: server.url });
    running.stop();
    await running.done;
    expect(running.report.phase).toBe('stopped');
  });

  it('says that there is no service account where there is none', async () => {
    vi.stubEnv('KUBERNETES_SERVICE_HOST', undefined);
    const { running } = watch(async () => fromServiceAccount(folder));
    const { error } = await waitUntil(
      () => running.report,
      ({ phase }) => phase === 'backing-off',
    );
    expect(error).toMatchObject({ code: 'CREDENTIALS', message: expect.stringContaining('does not run in a cluster') });
    running.stop();
    await running.done;
  });

  it('goes on from a position of the same server, and lists everything of another one', async () => {
    const before = put('before');
    const position = String(server.store.revision);
    const after = put('after');
    const same = watch(() => Promise.resolve(server.kubeConfig()), position, server.url);
    await waitUntil(
      () => same.events,
      (events) => events.includes(after!),
    );
    expect(same.events).not.toContain(before);
    const another = watch(() => Promise.resolve(server.kubeConfig()), position, 'https://10.9.9.9');
    await waitUntil(
      () => another.events,
      (events) => events.includes(before!) && events.includes(after!),
    );
    for (const { running } of [same, another]) {
      running.stop();
      await running.done;
    }
  });

  it('ends by itself when the lease turns out to be lost', async () => {
    const { running, disown } = watch(() => Promise.resolve(server.kubeConfig()));
    await waitUntil(
      () => running.report.phase,
      (phase) => phase === 'watching',
    );
    disown();
    put('too-late');
    await running.done;
    await waitUntil(
      () => server.openConnections,
      (open) => open === 0,
    );
  });
});
