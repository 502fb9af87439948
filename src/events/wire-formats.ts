import { alertmanagerFormat } from './alertmanager-format.js';
import { cloudeventsFormat } from './cloudevents-format.js';
import { eventExporterFormat } from './event-exporter-format.js';
import { eventrouterFormat } from './eventrouter-format.js';
import { fluentBitFormat } from './fluent-bit-format.js';
import { kubeEventerFormat } from './kube-eventer-format.js';
import { kubernetesFormat } from './kubernetes-format.js';
import { kubewatchFormat } from './kubewatch-format.js';
import { otlpFormat } from './otlp-format.js';
import { showText } from './show-value.js';
import { UnreadableBodyError } from './unreadable-body-error.js';
import { vectorFormat } from './vector-format.js';
import type { WireFormat } from './wire-format.js';

/** Every format, most particular first; the last one recognises every object and so explains what is refused. */
export const wireFormats: readonly WireFormat[] = [
  cloudeventsFormat,
  alertmanagerFormat,
  otlpFormat,
  kubewatchFormat,
  kubeEventerFormat,
  fluentBitFormat,
  vectorFormat,
  eventrouterFormat,
  eventExporterFormat,
  kubernetesFormat,
];

/** Every name that `?format=` takes, in order. */
export const formatNames: readonly string[] = wireFormats.flatMap(({ names }) => names).sort();

/** Gives the formats to try: all of them, or the one that was asked for by name. */
export function formatsFor(name: string | undefined): readonly WireFormat[] {
  if (name === undefined || name === '') return wireFormats;
  const format = wireFormats.find(({ names }) => names.includes(name));
  if (format !== undefined) return [{ ...format, recognises: () => true }];
  throw new UnreadableBodyError('UNKNOWN_SHAPE', `format: ${showText(name)} is not known; the formats are ${formatNames.join(', ')}.`);
}
