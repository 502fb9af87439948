/**
 * An API server that the stories of watching are told against: the fake one, or a real one. What only the fake can do (cut a
 * line in the middle, fall silent) is not in here.
 */
export interface ApiServerUnderTest {
  /** Address, the same after a restart. */
  readonly url: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly ca: string;
  /** Bearer token of a user who may list and watch Events and get objects, and nothing else. */
  readonly token: string;
  /** One request of an administrator, who may do everything. */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Forgets the history up to now, so that older resource versions and page tokens are expired. */
  compact(): Promise<void>;
  /** Ends at once, breaking every connection, and starts again on the same port with its state. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** What a test says of an Event in a cluster; the rest is made up. */
export interface ClusterEventSaid {
  /** Name of the Event object. */
  name: string;
  namespace?: string;
  /** Name of the Pod that it is about. */
  pod?: string;
  container?: string;
  reason?: string;
  message?: string;
  count?: number;
  /** Latest happening, milliseconds since the epoch; the first one is a minute earlier. */
  at?: number;
}

/** A core/v1 Event as the kubelet writes it; by default of a container that crashes. */
export function clusterEvent(said: ClusterEventSaid): Record<string, unknown> {
  const { name, namespace = 'default', pod = 'web-6d4cf56db6-x2x5p', container = 'app', count = 1, at = Date.now() } = said;
  const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace },
    involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace, name: pod, fieldPath: `spec.containers{${container}}` },
    reason: said.reason ?? 'BackOff',
    message: said.message ?? `Back-off restarting failed container ${container} in pod ${pod}`,
    type: 'Warning',
    source: { component: 'kubelet', host: 'node-1' },
    count,
    firstTimestamp: time(at - 60_000),
    lastTimestamp: time(at),
  };
}

/** Creates an Event, or replaces it where it is there already: the count of a real one grows so. */
export async function putEvent(server: Pick<ApiServerUnderTest, 'call'>, said: ClusterEventSaid): Promise<void> {
  const event = clusterEvent(said);
  const folder = `/api/v1/namespaces/${said.namespace ?? 'default'}/events`;
  const { status } = await server.call('POST', folder, event);
  if (status === 201) return;
  const replaced = status === 409 ? await server.call('PUT', `${folder}/${said.name}`, event) : { status };
  if (replaced.status !== 200) throw new Error(`the Event ${said.name} was answered ${replaced.status}`);
}

/** Creates a Pod of the namespace `default`. */
export async function putPod(server: Pick<ApiServerUnderTest, 'call'>, name: string): Promise<void> {
  const spec = { containers: [{ name: 'app', image: 'example.org/app:1' }], automountServiceAccountToken: false };
  const { status, body } = await server.call('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec,
  });
  if (status !== 201) throw new Error(`the Pod ${name} was answered ${status}: ${JSON.stringify(body)}`);
}

/** Deletes a Pod of the namespace `default` at once. */
export async function deletePod(server: Pick<ApiServerUnderTest, 'call'>, name: string): Promise<void> {
  const { status } = await server.call('DELETE', `/api/v1/namespaces/default/pods/${name}?gracePeriodSeconds=0`);
  if (status !== 200) throw new Error(`deleting the Pod ${name} was answered ${status}`);
}
