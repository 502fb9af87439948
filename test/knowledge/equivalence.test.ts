import { describe, expect, it } from 'vitest';
import type { Problem } from '../../src/knowledge/problem.js';
import { Provider, type ExampleEvent, type Rule } from '../../src/knowledge/problem-file.js';
import { compileMatcher } from '../../src/matching/compile-matcher.js';
import type { MatchableEvent } from '../../src/matching/event-facts.js';
import { matchEvent } from '../../src/matching/match-event.js';
import { matchNaively } from '../../src/matching/match-naively.js';
import { bundledKnowledge } from '../support/bundled-knowledge.js';
import { problemOf } from '../support/problem-of.js';
import { seededRandom, type SeededRandom } from '../support/seeded-random.js';

const { knowledge } = await bundledKnowledge();
const examples = knowledge.problems.flatMap((problem) => [...problem.examples.match, ...problem.examples.noMatch]);
const words = [...new Set(examples.flatMap(({ message }) => message.match(/[A-Za-z]{3,}/g) ?? []))];
const unique = (field: 'kind' | 'reason' | 'reporter' | 'type'): string[] => [...new Set(examples.map((example) => example[field] ?? ''))];
const pools = { kind: unique('kind'), reason: unique('reason'), reporter: unique('reporter'), type: unique('type') };

/** Problems of every shape of rule over the words of real messages, so that they get in each other's way. */
function syntheticProblems(random: SeededRandom, count: number): Problem[] {
  const text = (): string => Array.from({ length: 1 + random.below(4) }, () => random.pick(words)).join(' ');
  const template = (): string =>
    random.pick([text(), `${text()} {x} ${text()}`, `{n:int} ${text()}`, `{*}${text()}{*}`, `${text()} {x}`, `${text()}{*}${text()}`]);
  const rule = (): Rule => ({
    ...random.pick<Rule>([
      { message: template() },
      { message: [template(), template()] },
      { reason: random.pick(pools.reason) || 'Odd' },
      { code: `E40${10 + random.below(20)}` },
      { exitCode: [1, 137, 255] },
      { regex: `${random.pick(words)}\\W+${random.pick(words)}` },
      { regex: `(?:${random.pick(words)}|${random.pick(words)})s?` },
    ]),
    ...(random.chance(0.3) && { type: random.pick(['Normal', 'Warning'] as const) }),
    ...(random.chance(0.3) && { reporters: [random.pick(pools.reporter) || '*-controller'] }),
    ...(random.chance(0.2) && { kinds: ['*'] }),
    ...(random.chance(0.2) && { not: random.pick(words) }),
    ...(random.chance(0.2) && { reason: [random.pick(pools.reason) || 'Odd', 'Failed'] }),
  });
  return Array.from({ length: count }, (_, i) =>
    problemOf(`${random.pick(Provider.options)}/synthetic/p${i}`, {
      objectKinds: random.chance(0.2) ? ['*'] : [random.pick(pools.kind) || 'Pod'],
      fallback: random.chance(0.1),
      recognise: Array.from({ length: 1 + random.below(3) }, rule),
    }),
  );
}

/** A real text, broken in the ways that texts get broken, or two in one. */
function randomEvent(random: SeededRandom): MatchableEvent {
  const example: ExampleEvent = random.pick(examples);
  const other = random.pick(examples);
  const cut = random.below(example.message.length + 1);
  const message = random.pick([
    () => example.message,
    () => `${example.message} ${other.message}`,
    () => example.message.slice(0, cut) + other.message.slice(random.below(other.message.length + 1)),
    () => `${example.message.slice(0, cut)}\n${example.message.slice(cut)}`,
    () => example.message.replaceAll('"', '\\"').toUpperCase(),
    () => `(combined from similar events): E1008 21:01:55.367127  145725 proxier.go:1285] ${example.message}`,
    () => `ErrorCode: E40${10 + random.below(20)} ${example.message} exit code ${random.below(400) - 50}`,
    () => Array.from({ length: 12 }, () => random.pick(words)).join(' '),
  ])();
  const field = (name: keyof typeof pools): string => (random.chance(0.7) ? (example[name] ?? '') : random.pick(pools[name]));
  return { message, reason: field('reason'), type: field('type'), reporter: field('reporter'), object: { kind: field('kind') } };
}

function compare(problems: readonly Problem[], seed: number, rounds: number): number {
  const random = seededRandom(seed);
  const matcher = compileMatcher(problems);
  let diagnosed = 0;
  for (let round = 0; round < rounds; round++) {
    const event = randomEvent(random);
    const provider = random.chance(0.5) ? undefined : random.pick(Provider.options);
    const fast = matchEvent(matcher, event, { provider });
    const naive = matchNaively(problems, event, { provider });
    if (JSON.stringify(fast) !== JSON.stringify(naive)) expect(fast, JSON.stringify({ seed, round, event, provider })).toEqual(naive);
    if (fast.length > 0) diagnosed++;
  }
  return diagnosed;
}

describe('matchEvent', () => {
  it('gives the verdict of a loop over all problems on the bundled knowledge', () => {
    expect(compare(knowledge.problems, 1, 3000)).toBeGreaterThan(1000);
  });

  it('gives the verdict of a loop over all problems on rules of every shape', () => {
    const random = seededRandom(2);
    for (let round = 0; round < 8; round++)
      compare([...syntheticProblems(random, 150), ...knowledge.problems.filter(() => random.chance(0.2))], 100 + round, 250);
  });
});
