// Microseconds an event to mask its message, against those to tell what it shows. Settings: EVENTS, ROUNDS.
import { compileMatcher } from '../src/matching/compile-matcher.js';
import { matchEvent } from '../src/matching/match-event.js';
import { readValues } from '../src/events/read-body.js';
import { createMessageMask } from '../src/platform/message-mask.js';
import { bundledKnowledge } from '../test/support/bundled-knowledge.js';
import { seededRandom } from '../test/support/seeded-random.js';
import { makeStream } from './support/make-events.js';
import { announce, demand, figure, median, setting } from './support/report.js';

const LIMIT = 0.2;
const EVENTS = setting('EVENTS', 10_000);
const ROUNDS = setting('ROUNDS', 9);
const NOW = Date.parse('2026-03-01T10:00:00Z');

announce('masking: the mask of messages against recognition');
const { knowledge } = await bundledKnowledge();
const matcher = compileMatcher(knowledge.problems);
const mask = createMessageMask({ emails: true, patterns: [] });
const { deliveries } = makeStream(seededRandom(20_261_121), EVENTS, 'bench', NOW);
const events = readValues(deliveries, { now: NOW }).events.map(({ event }) => event);
demand(events.length === deliveries.length, 'the made-up events are refused');

const times = { mask: [] as number[], match: [] as number[] };
for (let round = -2; round < ROUNDS; round++) {
  const masked = measure(() => {
    for (const { message } of events) demand(mask(message) === message, `masked without a secret in it: ${message}`);
  });
  const matched = measure(() => {
    for (const event of events) matchEvent(matcher, event);
  });
  if (round < 0) continue;
  times.mask.push(masked);
  times.match.push(matched);
}
const [masking, matching] = [median(times.mask), median(times.match)];
figure('events', `${events.length}, none with a secret`);
figure('mask', `${masking.toFixed(2)} µs an event`);
figure('recognition', `${matching.toFixed(2)} µs an event`);
figure('ratio', `${(masking / matching).toFixed(3)} (limit ${LIMIT})`);
demand(masking / matching <= LIMIT, `the ratio is above ${LIMIT}`);
console.log('PASS');

/** CPU time, so that other work on the machine counts less. */
function measure(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / events.length;
}
