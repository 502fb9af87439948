import { kubernetesFormat } from './kubernetes-format.js';
import { showText } from './show-value.js';
import { UnreadableBodyError } from './unreadable-body-error.js';
import type { WireFormat } from './wire-format.js';

/** Every format, most particular first; the last one recognises every object and so explains what is refused. */
export const wireFormats: readonly WireFormat[] = [kubernetesFormat];

/** Gives the formats to try: all of them, or the one that was asked for by name. */
export function formatsFor(name: string | undefined): readonly WireFormat[] {
  if (name === undefined || name === '') return wireFormats;
  const format = wireFormats.find(({ names }) => names.includes(name));
  if (format !== undefined) return [{ ...format, recognises: () => true }];
  const known = wireFormats.flatMap(({ names }) => names).join(', ');
  throw new UnreadableBodyError('UNKNOWN_SHAPE', `format: ${showText(name)} is not known; the formats are ${known}.`);
}
