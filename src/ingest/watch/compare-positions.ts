const REVISION = /^[0-9]{1,30}$/;

/**
 * True when a server that is at `current` cannot have given out `position`: it lost its state and counts anew. From such a
 * position a watch would stay silent for ever. Both are revisions of etcd, which are numbers; anything else is not compared.
 */
export function isBehind(current: string, position: string): boolean {
  return REVISION.test(current) && REVISION.test(position) && BigInt(current) < BigInt(position);
}
