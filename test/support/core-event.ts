/** What a test says of an event; the rest is made up. */
export interface DescribedEvent {
  uid?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  container?: string;
  reason?: string;
  message?: string;
  type?: string;
  component?: string;
  count?: number;
  /** Time of the latest happening; the first is the same unless given. */
  at?: string;
  firstAt?: string;
}

let next = 0;

/** Makes a core/v1 Event. */
export function coreEvent(said: DescribedEvent = {}): Record<string, unknown> {
  const { kind = 'Pod', namespace = 'shop', name = 'web-6d4cf56db6-x2x5p', container, count = 1 } = said;
  const at = said.at ?? new Date(Date.now() - 60_000).toISOString();
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { uid: said.uid ?? `event-${++next}`, name: `${name}.${next}`, namespace },
    involvedObject: { kind, namespace, name, ...(container && { fieldPath: `spec.containers{${container}}` }) },
    reason: said.reason ?? '',
    message: said.message ?? '',
    type: said.type ?? 'Warning',
    source: { component: said.component ?? 'kubelet', host: 'node-1' },
    count,
    firstTimestamp: said.firstAt ?? at,
    lastTimestamp: at,
  };
}

/** A container that crashes, of the Deployment `web`. */
export function crash(said: DescribedEvent = {}): Record<string, unknown> {
  return coreEvent({ reason: 'BackOff', message: 'Back-off restarting failed container app in pod web', container: 'app', ...said });
}

/** An Ingress whose TLS Secret holds no certificate. */
export function e4011(said: DescribedEvent = {}): Record<string, unknown> {
  const message = 'Ingress Sync ClientError. ErrorCode: E4011 Details: Secret web-tls has no qcloud cert id. OriginError: ';
  return coreEvent({ kind: 'Ingress', name: 'web', reason: 'EnsureFailed', component: 'loadbalance-controller', message, ...said });
}
