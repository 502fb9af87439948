import type { Rule } from '../../src/knowledge/problem-file.js';
import type { Problem } from '../../src/knowledge/problem.js';
import { problemOf } from '../../test/support/problem-of.js';
import type { SeededRandom } from '../../test/support/seeded-random.js';

const PARTS = [
  'volume',
  'certificate',
  'listener',
  'subnet',
  'replica',
  'webhook',
  'token',
  'quota',
  'snapshot',
  'endpoint',
  'route',
  'image',
];
const VERBS = [
  'failed to attach',
  'failed to create',
  'timed out waiting for',
  'could not find',
  'is not allowed to use',
  'rejected',
  'lost',
];
const KINDS = ['Pod', 'Node', 'Service', 'Ingress', 'PersistentVolumeClaim', '*'];
const REASONS = ['Failed', 'FailedMount', 'FailedScheduling', 'BackOff', 'Unhealthy'];

/**
 * Problems of everyday words that no other problem's text has: each names a component of its own. A part of them shares
 * its reason with real events, so that the index has to tell them apart by text.
 */
export function syntheticProblems(random: SeededRandom, count: number): Problem[] {
  return Array.from({ length: count }, (_, i) => {
    const component = `${random.pick(PARTS)}-operator-${i.toString(36)}`;
    const texts = [
      `${component} ${random.pick(VERBS)} ${random.pick(PARTS)} {name}`,
      `${random.pick(VERBS)} ${random.pick(PARTS)} of ${component}: {cause}`,
      `Error syncing ${random.pick(PARTS)}: ${component} {*} ${random.pick(VERBS)}`,
    ];
    const rules: Rule[] = [{ message: texts.slice(0, 1 + random.below(3)) }];
    if (random.chance(0.3)) rules.push({ message: `${component} gave up after {count:int} tries`, reason: random.pick(REASONS) });
    if (random.chance(0.2)) rules.push({ reason: `${component.replaceAll('-', '')}Failed` });
    return problemOf(`kubernetes/synthetic/p${i}`, { objectKinds: [random.pick(KINDS)], recognise: rules });
  });
}
