import { ClusterProvider } from '../knowledge/problem-file.js';
import type { Provider } from '../knowledge/problem-file.js';
import { RequestError } from '../platform/refusal.js';
import { checkText } from './page.js';

/** A cluster to register, as it came in. */
export interface WantedCluster {
  name?: unknown;
  provider?: unknown;
  region?: unknown;
  labels?: unknown;
}

/** A cluster to register, checked. */
export interface CheckedCluster {
  name: string;
  provider: Provider;
  region: string | null;
  labels: Record<string, string>;
}

const NAME = /^[A-Za-z0-9]([\w.-]{0,98}[A-Za-z0-9])?$/;
const MAX_LABELS = 64;

/** Checks a cluster to register. Throws RequestError BAD_INPUT that names the wrong field. */
export function checkNewCluster({ name, provider = 'kubernetes', region, labels }: WantedCluster): CheckedCluster {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw refuse('name', 'letters, digits, ".", "_" and "-", at most 100, beginning and ending with a letter or digit');
  }
  return { name, provider: checkProvider(provider), region: checkRegion(region), labels: checkLabels(labels) };
}

/** Checks a provider in either spelling, `tke-serverless` or `TKE_SERVERLESS`. Throws RequestError BAD_INPUT. */
export function checkProvider(provider: unknown): (typeof ClusterProvider.options)[number] {
  const known = ClusterProvider.safeParse(typeof provider === 'string' ? provider.toLowerCase().replaceAll('_', '-') : provider);
  if (!known.success) throw refuse('provider', `one of ${ClusterProvider.options.join(', ')}`);
  return known.data;
}

/** Checks a region; none and an empty one are null. Throws RequestError BAD_INPUT. */
export function checkRegion(region: unknown): string | null {
  if (region !== undefined && region !== null && typeof region !== 'string') throw refuse('region', 'a text');
  return region ? checkText('region', region, 100) : null;
}

/** Checks labels; none are an empty object. Throws RequestError BAD_INPUT. */
export function checkLabels(said: unknown): Record<string, string> {
  const labels = said ?? {};
  if (typeof labels !== 'object' || Array.isArray(labels)) throw refuse('labels', 'an object of names and texts');
  const entries = Object.entries(labels);
  if (entries.length > MAX_LABELS) throw refuse('labels', `at most ${MAX_LABELS} of them`);
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw refuse('labels', 'an object of names and texts');
    checkText('labels', name, 200);
    checkText('labels', value, 1000);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function refuse(field: string, expected: string): RequestError {
  return new RequestError('BAD_INPUT', `${field}: expected ${expected}.`);
}
