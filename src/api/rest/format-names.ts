/** Names of the formats that `?format=` takes, kept level with the readers of `events` by a test. */
export const formatNames = [
  'alertmanager',
  'argo-events',
  'cloudevents',
  'event-exporter',
  'eventrouter',
  'fluent-bit',
  'kube-eventer',
  'kubernetes',
  'kubernetes-event-exporter',
  'kubewatch',
  'opentelemetry',
  'otlp',
  'vector',
];
