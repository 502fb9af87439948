import { coreEvent, crash, e4011 } from './core-event.js';
import { putEvent } from './api-server-under-test.js';
import { FakeApiServer } from './fake-api-server.js';
import type { OpenEvents } from './live-client.js';
import { openEvents } from './live-client.js';
import type { TestCasebook } from './start-casebook.js';
import { ADMIN_TOKEN, startTestCasebook } from './start-casebook.js';
import { waitUntil } from './wait-until.js';
import { WebhookReceiver } from './webhook-receiver.js';
import { createWebhook, settled, WEBHOOK_ENV } from './webhooks.js';

/** A service to which something of everything has happened, and what it talks with. */
export interface BusyCasebook {
  casebook: TestCasebook;
  /** What it tells to be measured by, as Prometheus reads it. */
  metrics(): Promise<string>;
  /** Sends some more events, good ones, bad ones and those of a stranger, and asks for something. */
  goOn(): Promise<void>;
  stop(): Promise<void>;
}

const WATCH = 'mutation ($input: WatchClusterInput!) { watchCluster(input: $input) { name } }';

/** Starts a service and has everything happen to it that its metrics tell of: the good and the bad. */
export async function startBusyCasebook(env: Record<string, string> = {}): Promise<BusyCasebook> {
  const [server, gone, receiver] = await Promise.all([FakeApiServer.start(), FakeApiServer.start(), WebhookReceiver.start()]);
  const casebook = await startTestCasebook({
    ...WEBHOOK_ENV,
    CASEBOOK_AUTH: 'required',
    CASEBOOK_ADMIN_TOKEN: ADMIN_TOKEN,
    LOG_LEVEL: 'silent',
    ...env,
  });
  const metrics = async (): Promise<string> => (await casebook.send('GET', '/metrics', { token: ADMIN_TOKEN })).body as string;
  receiver.behave('/good', { status: 200 });
  receiver.behave('/bad', { status: 400 });
  const good = await createWebhook(casebook, { name: 'good', url: receiver.url('/good') });
  const bad = await createWebhook(casebook, { name: 'bad', url: receiver.url('/bad') });

  for (const [name, { url, ca, token }] of [['watched', server] as const, ['unreachable', gone] as const]) {
    await casebook.register(name, 'kubernetes');
    await casebook.graphql(WATCH, { input: { cluster: name, server: url, certificateAuthority: ca, token } });
  }
  await gone.stop();
  await putEvent(server, { name: 'a', count: 2 });
  await casebook.register('prod');
  await casebook.register('fast');
  await casebook.graphql('mutation { updateCluster(name: "fast", input: { eventsPerSecond: 1 }) { name } }');
  const stream: OpenEvents = await openEvents(`${casebook.url}/v1/incidents/changes`, { authorization: `Bearer ${ADMIN_TOKEN}` });

  const watched = async (): Promise<boolean> => {
    const { data } = await casebook.graphql(
      '{ cluster(name: "watched") { watch { state } } incidents(filter: { clusters: ["watched"] }) { totalCount } }',
    );
    return data['cluster'].watch?.state === 'WATCHING' && data['incidents'].totalCount > 0;
  };

  let round = 0;
  const goOn = async (): Promise<void> => {
    const name = `web-${++round}`;
    const events = [
      e4011({ name, at: new Date().toISOString() }),
      crash({ name: `${name}-6d4cf56db6-x2x5p`, at: new Date().toISOString() }),
      coreEvent({ name, reason: 'FailedSomething', message: `something that nobody knows failed ${round} times` }),
      coreEvent({ name, reason: 'Scheduled', message: 'placed', type: 'Normal' }),
    ];
    await casebook.post('prod', events);
    await casebook.post('prod', [...events, { kind: 'Nonsense' }]);
    await casebook.post('prod', 'this is not even JSON');
    await casebook.post('prod', events, 'a-token-that-nobody-knows');
    await casebook.post(
      'fast',
      Array.from({ length: 100 }, () => coreEvent({ reason: 'Scheduled', message: 'placed', type: 'Normal' })),
    );
    await casebook.send('GET', '/nowhere', { token: ADMIN_TOKEN });
    await casebook.graphql('{ incidents(first: 5) { nodes { id } } }');
    await casebook.graphql('{ nothingOfThisName }');
  };
  await goOn();
  await goOn();
  // What is looked up for the metrics serves for seconds, so that they are not to be read before all this has happened.
  await Promise.all([settled(casebook, good), settled(casebook, bad), waitUntil(watched, (done) => done)]);
  return {
    casebook,
    metrics,
    goOn,
    async stop() {
      stream.close();
      await casebook.stop();
      await Promise.all([server.stop(), receiver.stop()]);
    },
  };
}
