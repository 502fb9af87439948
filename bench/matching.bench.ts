// Microseconds an event to tell what it shows, with 300 problems and with 3,000. Settings: EVENTS, ROUNDS.
import { isDeepStrictEqual } from 'node:util';
import { compileMatcher } from '../src/matching/compile-matcher.js';
import type { Matcher } from '../src/matching/compile-matcher.js';
import { eventOfExample } from '../src/matching/check-knowledge.js';
import type { MatchableEvent } from '../src/matching/event-facts.js';
import { matchEvent } from '../src/matching/match-event.js';
import { matchNaively } from '../src/matching/match-naively.js';
import { bundledKnowledge } from '../test/support/bundled-knowledge.js';
import { seededRandom } from '../test/support/seeded-random.js';
import { readValues } from '../src/events/read-body.js';
import { makeStream } from './support/make-events.js';
import { announce, demand, figure, median, setting } from './support/report.js';
import { syntheticProblems } from './support/synthetic-problems.js';

const SMALL = 300;
const LARGE = 3_000;
const LIMIT = 1.5;
const EVENTS = setting('EVENTS', 10_000);
const ROUNDS = setting('ROUNDS', 9);
const NAIVE = 300;
const NOW = Date.parse('2026-03-01T10:00:00Z');

announce(`matching: ${SMALL} problems against ${LARGE}`);
const random = seededRandom(20_261_120);
const { knowledge } = await bundledKnowledge();
const bundled = shuffled(knowledge.problems);
const base = bundled.slice(0, SMALL);
demand(base.length === SMALL, `the bundled knowledge has only ${base.length} problems`);
const sets = { small: base, large: [...base, ...syntheticProblems(random, LARGE - SMALL)] };
const matchers = { small: compileMatcher(sets.small), large: compileMatcher(sets.large) };
const events = realEvents();

let shown = 0;
for (const [i, event] of events.entries()) {
  const answer = matchEvent(matchers.small, event);
  if (answer.length > 0) shown++;
  demand(isDeepStrictEqual(matchEvent(matchers.large, event), answer), `another answer with ${LARGE} problems: ${event.message}`);
  if (i < NAIVE)
    demand(isDeepStrictEqual(matchNaively(sets.large, event), answer), `another answer by trying every rule: ${event.message}`);
}

const times: Record<keyof typeof matchers, number[]> = { small: [], large: [] };
for (let round = -2; round < ROUNDS; round++) {
  for (const name of ['small', 'large'] as const) {
    const time = measure(matchers[name]);
    if (round >= 0) times[name].push(time);
  }
}
const [small, large] = [median(times.small), median(times.large)];
figure('events', `${events.length}, of which ${shown} show a problem; answers equal, ${NAIVE} of them held to every rule`);
figure(`${SMALL} problems`, `${small.toFixed(2)} µs an event`);
figure(`${LARGE} problems`, `${large.toFixed(2)} µs an event`);
figure('ratio', `${(large / small).toFixed(2)} (limit ${LIMIT})`);
demand(large / small <= LIMIT, `the ratio is above ${LIMIT}`);
console.log('PASS');

/** CPU time, so that other work on the machine counts less. */
function measure(matcher: Matcher): number {
  const before = process.cpuUsage();
  let found = 0;
  for (const event of events) found += matchEvent(matcher, event).length > 0 ? 1 : 0;
  const { user, system } = process.cpuUsage(before);
  demand(found === shown, `${found} events show a problem instead of ${shown}`);
  return (user + system) / events.length;
}

/** Half of them events of a busy cluster, half the texts that the knowledge itself gives as examples, in mixed order. */
function realEvents(): MatchableEvent[] {
  const { deliveries } = makeStream(random, EVENTS / 2, 'bench', NOW);
  const stream = readValues(deliveries, { now: NOW }).events.map(({ event }): MatchableEvent => event);
  demand(stream.length === deliveries.length, 'the made-up events are refused');
  const examples = knowledge.problems.flatMap((problem) => [...problem.examples.match, ...problem.examples.noMatch]).map(eventOfExample);
  return shuffled([...stream, ...Array.from({ length: EVENTS / 2 }, () => random.pick(examples))]);
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, key: random.below(1 << 30) }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}
