import { parsedText } from './parsed-text.js';

/** A context of a kubeconfig file, and the cluster whose events are read through it. */
export interface WatchedContext {
  /** Name of the context. */
  context: string;
  /** Name of the cluster in Casebook. */
  cluster: string;
}

/** What the name of a cluster may be; the same as when one is registered. */
export const CLUSTER_NAME = /^[A-Za-z0-9]([\w.-]{0,98}[A-Za-z0-9])?$/;
const MOST = 1000;

/**
 * Reads `context=cluster` pairs that commas separate; a context alone is a cluster of the same name. Returns what is wrong, as
 * a text, when a pair cannot be read or a cluster comes twice.
 */
export function parseWatchedContexts(value: string): WatchedContext[] | string {
  const pairs: WatchedContext[] = [];
  for (const part of value.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    // Names of contexts hold colons, slashes and at signs, but hardly ever an equals sign; if one does, the last one counts.
    const at = part.lastIndexOf('=');
    const pair = { context: (at < 0 ? part : part.slice(0, at)).trim(), cluster: (at < 0 ? part : part.slice(at + 1)).trim() };
    if (pair.context === '') return `expected the name of a context before "=" in ${JSON.stringify(part)}`;
    if (!CLUSTER_NAME.test(pair.cluster)) {
      return `${JSON.stringify(pair.cluster)} is no name of a cluster (letters, digits, ".", "_" and "-"); write ${JSON.stringify(`${pair.context}=<cluster>`)}`;
    }
    if (pairs.some(({ cluster }) => cluster === pair.cluster)) return `cluster ${JSON.stringify(pair.cluster)} comes twice`;
    pairs.push(pair);
  }
  if (pairs.length > MOST) return `expected at most ${MOST} contexts, got ${pairs.length}`;
  return pairs.length > 0 ? pairs : 'expected context=cluster pairs, separated by commas';
}

/** The variable that names them. */
export function watchedContexts() {
  return parsedText(parseWatchedContexts);
}
