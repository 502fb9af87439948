import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '../../src/knowledge/problem-file.js';
import type { Recogniser } from '../../src/pipeline/recognise.js';
import { endByHand, openByHand, takeBackEnd } from '../../src/pipeline/mark-by-hand.js';
import { QuietService } from '../../src/pipeline/quiet.service.js';
import type { IntakeRepository, IntakeTransaction } from '../../src/store/intake.repository.js';
import { createTestDatabase } from '../support/test-database.js';
import type { TestDatabase } from '../support/test-database.js';
import type { IncidentWorkRecord } from '../../src/store/statements/find-work.js';
import { bundledRecogniser, Story, timeOf } from '../support/story.js';
import type { Told } from '../support/story.js';
import { TestIntake } from '../support/stream.js';

let database: TestDatabase;
let intake: TestIntake;
let recogniser: Recogniser;

beforeAll(async () => {
  database = await createTestDatabase();
  intake = new TestIntake(database.url);
  recogniser = await bundledRecogniser();
});
afterAll(async () => {
  await intake.close();
  await database.drop();
});

const tell = (provider?: Provider): Story => new Story(intake, recogniser, provider);
const normal = (reason: string, message: string, rest: Partial<Told> = {}): Told => ({ reason, message, type: 'Normal', ...rest });

const notFound = (rest: Partial<Told> = {}): Told => ({
  container: 'app',
  reason: 'Failed',
  message:
    'Failed to pull image "shop/web:v2": rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/shop/web:v2": docker.io/shop/web:v2: not found',
  ...rest,
});
const backOff = (rest: Partial<Told> = {}): Told => ({
  container: 'app',
  reason: 'BackOff',
  message: 'Back-off restarting failed container app in pod web',
  ...rest,
});
const tkeIngress = (code: string): Told => ({
  kind: 'Ingress',
  name: 'web',
  reason: 'SyncFailed',
  reporter: 'l7-lb-controller',
  message: `Ingress Sync ClientError. ErrorCode: ${code} Details: Ingress: shop/web. OriginError: `,
});
const ccm = (reason: string, message: string, type: string): Told => ({
  kind: 'Service',
  name: 'web',
  reporter: 'service-controller',
  reason,
  message,
  type,
});
const node = (reason: string): Told => normal(reason, `Node node-1 status is now: ${reason}`, { kind: 'Node', name: 'node-1' });

describe('image', () => {
  it('ends when the image of the same container is pulled, not when that of a neighbour is', async () => {
    const story = tell();
    await story.push('10:00', notFound());
    await story.push('10:01', normal('Pulled', 'Successfully pulled image "proxy:1"', { container: 'sidecar' }));
    expect(await story.by('10:02')).toEqual(['kubernetes/image/not-found Deployment/shop/web: open']);
    await story.push('10:03', normal('Pulled', 'Successfully pulled image "shop/web:v2" in 2s', { container: 'app' }));
    expect(await story.by('10:04')).toEqual(['kubernetes/image/not-found Deployment/shop/web: resolved SUCCESS_EVENT 10:03']);
  });

  it('ends a failure whose success arrived first', async () => {
    const story = tell();
    await story.push('10:05', normal('Pulled', 'Successfully pulled image "shop/web:v2" in 2s', { container: 'app', last: '10:04' }));
    await story.push('10:06', notFound({ last: '10:00' }));
    expect(await story.by('10:06')).toEqual(['kubernetes/image/not-found Deployment/shop/web: resolved SUCCESS_EVENT 10:04']);
  });
});

describe('container', () => {
  it('keeps a crash loop open through every Started and ends it by quiet', async () => {
    const story = tell();
    for (const [i, minute] of ['00', '03', '08', '13'].entries()) {
      await story.push(
        `10:${minute}`,
        normal('Started', 'Started container app', { container: 'app' }),
        backOff({ uid: 'loop', first: '10:00', count: 1 + i * 4 }),
      );
    }
    expect(await story.by('10:14')).toEqual(['kubernetes/container/crash-loop Deployment/shop/web: open']);
    const [incident] = await story.state('12:00');
    expect(incident).toMatchObject({ status: 'resolved', resolvedBy: 'QUIET', occurrences: 13 });
    expect(incident!.resolvedAt).toBeGreaterThan(timeOf('10:18'));
  });

  it('does not take Pulled for the end of a configuration error, and takes Started', async () => {
    const story = tell();
    for (const minute of ['00', '05', '10']) {
      await story.push(
        `10:${minute}`,
        normal('Pulled', 'Container image "shop/web:v2" already present on machine', { container: 'app' }),
        { container: 'app', reason: 'Failed', message: 'Error: secret "web-keys" not found' },
        normal('Pulled', 'Container image "shop/web:v2" already present on machine', { container: 'app', last: `10:${minute}:30` }),
      );
    }
    expect(await story.by('10:11')).toEqual(['kubernetes/container/config-object-not-found Deployment/shop/web: open']);
    await story.push('10:12', normal('Started', 'Started container app', { container: 'app' }));
    expect(await story.by('10:13')).toEqual([
      'kubernetes/container/config-object-not-found Deployment/shop/web: resolved SUCCESS_EVENT 10:12',
    ]);
  });

  it('counts an Event that was delivered with 3 and with 5 as five', async () => {
    const story = tell();
    expect(await story.push('10:05', backOff({ uid: 'same', first: '10:00', count: 5 }))).toEqual([true]);
    expect(await story.push('10:06', backOff({ uid: 'same', first: '10:00', count: 3, last: '10:03' }))).toEqual([false]);
    expect(await story.push('10:07', backOff({ uid: 'same', first: '10:00', count: 5, last: '10:05' }))).toEqual([false]);
    expect(await story.state('10:08')).toMatchObject([{ occurrences: 5, first: timeOf('10:00'), last: timeOf('10:05') }]);
  });

  it('makes one incident of forty crashing Pods of one Deployment', async () => {
    const story = tell();
    const letters = [...'bcdfghjklmnpqrstvwxz'];
    const pods = letters.flatMap((a) => ['2', '4'].map((b) => `web-6f9c7d8b5-${a}${b}xyz`.replace('y', 'z')));
    await story.push('10:00', ...pods.map((name) => backOff({ name })));
    expect(await story.state('10:01')).toMatchObject([
      { subject: 'Deployment/shop/web', affected: 40, open: 40, occurrences: 40, episodes: [{ end: null }] },
    ]);
  });

  it('counts a Pod once, in however many containers it crashes', async () => {
    const story = tell();
    await story.push('10:00', backOff({ container: 'app' }), backOff({ container: 'sidecar' }));
    await story.push('10:01', backOff({ container: 'proxy' }));
    expect(await story.state('10:02')).toMatchObject([{ affected: 1, open: 3, occurrences: 3 }]);
  });

  it('ends what the Pod suffered when its controller says that it deleted the Pod', async () => {
    const story = tell();
    await story.push('10:00', notFound(), notFound({ name: 'web-6f9c7d8b5-bbbbb' }));
    const deleted = (pod: string): Told =>
      normal('SuccessfulDelete', `Deleted pod: ${pod}`, { kind: 'ReplicaSet', name: 'web-6f9c7d8b5', reporter: 'replicaset-controller' });
    await story.push('10:02', deleted('web-6f9c7d8b5-x2x9z'));
    expect(await story.by('10:02')).toEqual(['kubernetes/image/not-found Deployment/shop/web: open']);
    await story.push('10:04', deleted('web-6f9c7d8b5-bbbbb'));
    expect(await story.by('10:04')).toEqual(['kubernetes/image/not-found Deployment/shop/web: resolved OBJECT_GONE 10:04']);
  });
});

describe('load balancer', () => {
  it('ends every sync incident of a TKE Service with one success of that Service', async () => {
    const story = tell('tke');
    const service = (code: string, name = 'web'): Told => ({
      kind: 'Service',
      name,
      reporter: 'service-controller',
      reason: 'EnsureServiceFailed',
      message: `Service Sync ClientError. ErrorCode: ${code} Details: Service: shop/${name}.`,
    });
    await story.push('10:00', service('E4008'), service('E4036'), service('E4008', 'other'));
    await story.push(
      '10:09',
      normal('EnsureServiceSuccess', 'Service Sync Success. RetrunCode: S2000', {
        kind: 'Service',
        name: 'web',
        reporter: 'service-controller',
      }),
    );
    expect(await story.by('10:10')).toEqual([
      'tke/service/E4008 Service/shop/other: open',
      'tke/service/E4008 Service/shop/web: resolved SUCCESS_EVENT 10:09',
      'tke/service/E4036 Service/shop/web: resolved SUCCESS_EVENT 10:09',
    ]);
  });

  it('ends a TKE Ingress incident with a Normal event of its controller, not with one of a stranger, and reopens it', async () => {
    const story = tell('tke');
    await story.push('10:00', tkeIngress('E4011'));
    await story.push('10:01', normal('Sync', 'Scheduled for sync', { kind: 'Ingress', name: 'web', reporter: 'nginx-ingress-controller' }));
    expect(await story.by('10:02')).toEqual(['tke/ingress/E4011 Ingress/shop/web: open']);
    await story.push(
      '10:03',
      normal('EnsureSuccess', 'Ingress Sync Success.', { kind: 'Ingress', name: 'web', reporter: 'l7-lb-controller' }),
    );
    expect(await story.by('10:04')).toEqual(['tke/ingress/E4011 Ingress/shop/web: resolved SUCCESS_EVENT 10:03']);
    await story.push('11:00', tkeIngress('E4011'));
    expect(await story.by('11:01')).toEqual(['tke/ingress/E4011 Ingress/shop/web: open (episode 2)']);
  });

  it('does not take the Ensured of the same Alibaba sync for the end of missing backends', async () => {
    const story = tell('ack');
    const unavailable = ccm('UnAvailableLoadBalancer', 'There are no available nodes for LoadBalancer', 'Normal');
    const ensured = ccm('EnsuredLoadBalancer', 'Ensured load balancer [lb-1]', 'Normal');
    await story.push('10:00', unavailable, ensured);
    await story.push('10:10', unavailable, { ...ensured, last: '10:10:01' });
    expect(await story.by('10:11')).toEqual(['ack/service/no-available-backends Service/shop/web: open']);
    await story.push('10:20', ensured);
    expect(await story.by('10:21')).toEqual(['ack/service/no-available-backends Service/shop/web: resolved SUCCESS_EVENT 10:20']);
  });

  it('ends a failed Alibaba sync with Ensured', async () => {
    const story = tell('ack');
    await story.push(
      '10:00',
      ccm('SyncLoadBalancerFailed', 'Error syncing load balancer [lb-1]: Message: The specified VSwitch has no available ip.', 'Warning'),
    );
    expect(await story.by('10:01')).toEqual(['ack/service/vswitch-ip-exhausted Service/shop/web: open']);
    await story.push('10:05', ccm('EnsuredLoadBalancer', 'Ensured load balancer [lb-1]', 'Normal'));
    expect(await story.by('10:06')).toEqual(['ack/service/vswitch-ip-exhausted Service/shop/web: resolved SUCCESS_EVENT 10:05']);
  });

  it("ends the upstream controller's missing nodes only with Updated", async () => {
    const story = tell('kubernetes');
    await story.push('10:00', ccm('UnAvailableLoadBalancer', 'There are no available nodes for LoadBalancer', 'Warning'));
    await story.push('10:30', ccm('EnsuredLoadBalancer', 'Ensured load balancer', 'Normal'));
    expect(await story.by('10:31')).toEqual(['kubernetes/load-balancer/no-available-nodes Service/shop/web: open']);
    await story.push('10:40', ccm('UpdatedLoadBalancer', 'Updated load balancer with new hosts', 'Normal'));
    expect(await story.by('10:41')).toEqual(['kubernetes/load-balancer/no-available-nodes Service/shop/web: resolved SUCCESS_EVENT 10:40']);
  });
});

describe('node', () => {
  it('ends disk pressure with its own opposite and no other', async () => {
    const story = tell();
    await story.push('10:00', node('NodeHasDiskPressure'));
    await story.push('10:05', node('NodeHasSufficientMemory'), node('NodeReady'));
    expect(await story.by('18:00')).toEqual(['kubernetes/node/disk-pressure Node//node-1: open']);
    await story.push('18:01', node('NodeHasNoDiskPressure'));
    expect(await story.by('18:02')).toEqual(['kubernetes/node/disk-pressure Node//node-1: resolved SUCCESS_EVENT 18:01']);
  });

  it('ends the condition that turned False and not its neighbour', async () => {
    const story = tell();
    const condition = (name: string, value: string): Told => ({
      kind: 'Node',
      name: 'node-1',
      reason: name,
      reporter: 'custom-plugin-monitor',
      message: `Node condition ${name} is now: ${value}, reason: Any`,
    });
    await story.push('10:00', condition('FirstTrouble', 'True'), condition('SecondTrouble', 'True'));
    await story.push('10:05', { ...condition('FirstTrouble', 'False'), type: 'Normal' });
    expect(await story.state('10:06')).toMatchObject([
      { problem: 'kubernetes/node/problem-detected', status: 'open', affected: 1, open: 1 },
    ]);
    await story.push('10:07', { ...condition('SecondTrouble', 'False'), type: 'Normal' });
    expect(await story.by('10:08')).toEqual(['kubernetes/node/problem-detected Node//node-1: resolved SUCCESS_EVENT 10:07']);
  });

  it('tells two failures of a flapping node as two episodes', async () => {
    const story = tell();
    await story.push('10:00', node('NodeNotReady'));
    await story.push('10:05', node('NodeReady'));
    await story.push('10:20', node('NodeNotReady'));
    await story.push('10:30', node('NodeReady'));
    const [incident] = await story.state('10:31');
    expect(incident!.episodes).toEqual([
      { start: timeOf('10:00'), end: timeOf('10:05'), by: 'SUCCESS_EVENT' },
      { start: timeOf('10:20'), end: timeOf('10:30'), by: 'SUCCESS_EVENT' },
    ]);
  });
});

describe('Pod on its way', () => {
  it('ends failed scheduling with Scheduled', async () => {
    const story = tell();
    const failed = (count: number): Told => ({
      reason: 'FailedScheduling',
      reporter: 'default-scheduler',
      message: '0/4 nodes are available: 2 Insufficient cpu.',
      uid: 'fs',
      first: '10:00',
      count,
    });
    await story.push('10:00', failed(1));
    await story.push('13:00', failed(37));
    expect(await story.by('13:01')).toEqual(['kubernetes/scheduling/insufficient-cpu Deployment/shop/web: open']);
    await story.push(
      '13:05',
      normal('Scheduled', 'Successfully assigned shop/web-6f9c7d8b5-x2x9z to node-1', { reporter: 'default-scheduler' }),
    );
    expect(await story.by('13:06')).toEqual(['kubernetes/scheduling/insufficient-cpu Deployment/shop/web: resolved SUCCESS_EVENT 13:05']);
  });

  it('ends a failed sandbox with the Pulling of any container', async () => {
    const story = tell();
    await story.push('10:00', {
      reason: 'FailedCreatePodSandBox',
      message:
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "ed1a": plugin type="flannel" failed (add): failed to find plugin "flannel" in path [/opt/cni/bin]',
    });
    await story.push('10:04', normal('Pulling', 'Pulling image "shop/web:v2"', { container: 'app' }));
    expect(await story.by('10:05')).toEqual(['kubernetes/sandbox/cni-binary-missing Deployment/shop/web: resolved SUCCESS_EVENT 10:04']);
  });

  it('keeps a Multi-Attach that was reported once open through days of silence', async () => {
    const story = tell();
    await story.push('10:00', {
      reason: 'FailedAttachVolume',
      reporter: 'attachdetach-controller',
      message:
        'Multi-Attach error for volume "pvc-7a81" Volume is already exclusively attached to one node and can\'t be attached to another',
    });
    expect(await story.by('+3d 10:00')).toEqual(['kubernetes/volume/multi-attach Deployment/shop/web: open']);
    await story.push(
      '+3d 10:01',
      normal('SuccessfulAttachVolume', 'AttachVolume.Attach succeeded for volume "pvc-7a81"', { reporter: 'attachdetach-controller' }),
    );
    expect(await story.by('+3d 10:02')).toEqual(['kubernetes/volume/multi-attach Deployment/shop/web: resolved SUCCESS_EVENT +3d 10:01']);
  });

  it('ends a failed mount with the start of the Pod', async () => {
    const story = tell();
    await story.push('10:00', {
      reason: 'FailedMount',
      message: 'MountVolume.SetUp failed for volume "config" : configmap "web-rules" not found',
    });
    await story.push('10:04', normal('Started', 'Started container app', { container: 'app' }));
    expect(await story.by('10:05')).toEqual([
      'kubernetes/volume/config-object-not-found Deployment/shop/web: resolved SUCCESS_EVENT 10:04',
    ]);
  });
});

describe('quiet', () => {
  it('does not see a pause where the count tells of many happenings in between', async () => {
    const story = tell();
    const probe = (count: number): Told => ({
      container: 'app',
      reason: 'Unhealthy',
      message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
      uid: 'probe',
      first: '10:00',
      count,
    });
    await story.push('10:00', probe(1));
    await story.push('16:00', probe(2000));
    const [incident] = await story.state('16:01');
    expect(incident).toMatchObject({ status: 'open', occurrences: 2000, episodes: [{ start: timeOf('10:00'), end: null }] });
  });

  it('is found by whichever process looks, once, from deadlines in the database', async () => {
    const story = tell();
    const probe: Told = {
      container: 'app',
      reason: 'Unhealthy',
      message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
    };
    await story.push('10:00', probe);
    const restarted = [new TestIntake(database.url), new TestIntake(database.url)];
    const late = timeOf('+1d 10:00');
    const due = await intake.database.rows('SELECT 1 FROM affected WHERE quiet_at <= to_timestamp($1::float8 / 1000)', late);
    const ended = await Promise.all(restarted.map(({ repository }) => new QuietService(repository).run(late)));
    await Promise.all(restarted.map((other) => other.close()));
    expect(ended[0]! + ended[1]!).toBe(due.length);
    expect(await story.by('+1d 10:00')).toEqual([
      expect.stringMatching(/^kubernetes\/probe\/http-status Deployment\/shop\/web: resolved QUIET 1\d:\d\d$/),
    ]);
  });

  it('is found in the other clusters although one makes trouble', async () => {
    const asked: number[] = [];
    const repository = {
      clustersWithQuiet: () => Promise.resolve([1, 2, 3]),
      transaction: (clusterId: number) => (
        asked.push(clusterId),
        clusterId === 2 ? Promise.reject(new Error('trouble')) : Promise.resolve(0)
      ),
    };
    await expect(new QuietService(repository as unknown as IntakeRepository).run()).rejects.toThrow('trouble');
    expect(asked).toEqual([1, 2, 3]);
  });
});

describe('people', () => {
  /** Does something to the only incident of a story at a time. */
  async function say(
    story: Story,
    time: string,
    what: (transaction: IntakeTransaction, incident: IncidentWorkRecord, at: number) => Promise<void>,
  ): Promise<void> {
    const cluster = await story.cluster();
    const [found] = await intake.database.rows<{ id: string }>('SELECT id FROM incident WHERE cluster_id = $1', cluster);
    const at = timeOf(time);
    await intake.repository.transaction(cluster, async (transaction) => what(transaction, (await transaction.findWork(found!.id))!, at), {
      heard: false,
    });
  }
  const resolve = (story: Story, time: string): Promise<void> =>
    say(story, time, (transaction, incident, at) => endByHand(transaction, incident, at, at));
  const acknowledge = (story: Story, time: string): Promise<void> =>
    say(story, time, (transaction, { id }, at) => transaction.setAcknowledged(id, { at, by: 'ana' }));
  const pod = (letter: string): string => `web-6f9c7d8b5-${letter.repeat(5)}`;

  it('end it on all objects, on one too that is heard of only later, and not for what happens after', async () => {
    const story = tell();
    await story.push('10:00', notFound({ name: pod('b') }), notFound({ name: pod('c') }));
    await resolve(story, '10:10');
    expect(await story.by('10:10')).toEqual(['kubernetes/image/not-found Deployment/shop/web: resolved MANUAL 10:10']);
    // Told by a slow sender: a Pod that nobody knew of, and more of a known one.
    await story.push('10:20', notFound({ name: pod('d'), last: '10:05' }), notFound({ name: pod('b'), last: '10:09' }));
    expect(await story.by('10:21')).toEqual(['kubernetes/image/not-found Deployment/shop/web: resolved MANUAL 10:10']);
    expect(await story.state('10:21')).toMatchObject([{ affected: 3, occurrences: 4, open: 0 }]);
    await story.push('10:30', notFound({ name: pod('d') }));
    expect(await story.by('10:31')).toEqual(['kubernetes/image/not-found Deployment/shop/web: open (episode 2)']);
  });

  it('have ended what turns out to belong to a workload, whatever comes late of it then', async () => {
    const story = tell();
    const db = { name: 'db-0', owner: { kind: 'StatefulSet', name: 'db' } };
    await story.push('10:00', notFound({ name: 'db-0' }));
    await resolve(story, '10:10');
    expect(await story.by('10:11')).toEqual(['kubernetes/image/not-found Pod/shop/db-0: resolved MANUAL 10:10']);
    // A sender that knows owners tells what happened before.
    const ended = ['kubernetes/image/not-found StatefulSet/shop/db: resolved MANUAL 10:10'];
    await story.push('10:20', notFound({ ...db, last: '10:05' }));
    expect(await story.by('10:21')).toEqual(ended);
    await story.push('10:22', notFound({ ...db, last: '10:07' }));
    expect(await story.by('10:23')).toEqual(ended);
    await story.push('10:24', notFound({ ...db, container: 'init', last: '10:08' }));
    expect(await story.by('10:25')).toEqual(ended);
    // It ended that Pod, and no other of the workload.
    await story.push('10:26', notFound({ ...db, name: 'db-1', last: '10:09' }));
    expect(await story.by('10:27')).toEqual(['kubernetes/image/not-found StatefulSet/shop/db: open']);
  });

  it('take back an end from before it was known what the object belongs to', async () => {
    const story = tell();
    await story.push('10:00', notFound({ name: 'db-0' }));
    await resolve(story, '10:10');
    await story.push('10:20', notFound({ name: 'db-0', owner: { kind: 'StatefulSet', name: 'db' }, last: '10:05' }));
    await say(story, '10:30', (transaction, incident, at) => takeBackEnd(transaction, incident, incident.resolvedAt!, at));
    expect(await story.by('10:31')).toEqual(['kubernetes/image/not-found StatefulSet/shop/db: open']);
  });

  it('give way to an end that came before theirs and is heard of later', async () => {
    const story = tell();
    await story.push('10:00', notFound());
    await resolve(story, '10:10');
    await story.push('10:20', normal('Pulled', 'Successfully pulled image "shop/web:v2" in 2s', { container: 'app', last: '10:07' }));
    expect(await story.by('10:21')).toEqual(['kubernetes/image/not-found Deployment/shop/web: resolved SUCCESS_EVENT 10:07']);
  });

  it('take their end back, and it never was', async () => {
    const story = tell();
    await story.push('10:00', notFound());
    await resolve(story, '10:10');
    await say(story, '10:20', (transaction, incident, at) => takeBackEnd(transaction, incident, incident.resolvedAt!, at));
    expect(await story.by('10:21')).toEqual(['kubernetes/image/not-found Deployment/shop/web: open']);
    await story.push('10:30', notFound({ last: '10:05' }));
    expect(await story.by('10:31')).toEqual(['kubernetes/image/not-found Deployment/shop/web: open']);
  });

  it('open it again without counting anything, until it ends as its kind of failure ends', async () => {
    const story = tell();
    const pulled = normal('Pulled', 'Successfully pulled image "shop/web:v2" in 2s', { container: 'app' });
    await story.push('10:00', notFound());
    await story.push('10:05', pulled);
    await say(story, '10:20', (transaction, incident, at) => openByHand(transaction, incident, at, at));
    expect(await story.by('10:21')).toEqual(['kubernetes/image/not-found Deployment/shop/web: open (episode 2)']);
    // What comes late derives it anew, and the word of the person stays.
    await story.push('10:25', notFound({ last: '10:02' }));
    expect(await story.state('10:26')).toMatchObject([
      { status: 'open', occurrences: 2, episodes: [{ by: 'SUCCESS_EVENT' }, { start: timeOf('10:20') }] },
    ]);
    await story.push('10:30', pulled);
    expect(await story.by('10:31')).toEqual(['kubernetes/image/not-found Deployment/shop/web: resolved SUCCESS_EVENT 10:30 (episode 2)']);
  });

  it('acknowledge the episode in which they do so, wherever late events put its borders', async () => {
    const story = tell();
    await story.push('10:00', notFound());
    await acknowledge(story, '10:10');
    expect(await story.by('10:11')).toEqual(['kubernetes/image/not-found Deployment/shop/web: acknowledged']);
    await story.push('10:20', notFound());
    expect(await story.by('10:21')).toEqual(['kubernetes/image/not-found Deployment/shop/web: acknowledged']);
    // An end between the two, heard of late: what was acknowledged is over, what is open nobody has seen.
    await story.push('10:30', normal('Pulled', 'Successfully pulled image "shop/web:v2" in 2s', { container: 'app', last: '10:15' }));
    expect(await story.by('10:31')).toEqual(['kubernetes/image/not-found Deployment/shop/web: open (episode 2)']);
    await acknowledge(story, '10:40');
    expect(await story.by('10:41')).toEqual(['kubernetes/image/not-found Deployment/shop/web: acknowledged (episode 2)']);
  });
});
