import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/knowledge/problem.js';
import { eventOfExample } from '../../src/matching/check-knowledge.js';
import type { Matcher } from '../../src/matching/compile-matcher.js';
import type { MatchableEvent, MatchContext } from '../../src/matching/event-facts.js';
import { matchEvent } from '../../src/matching/match-event.js';
import { createMessageMask } from '../../src/platform/message-mask.js';
import { bundledRecogniser } from '../support/story.js';

const mask = createMessageMask({ emails: true, patterns: [] });

let matcher: Matcher;
let problems: readonly Problem[];

beforeAll(async () => {
  const recogniser = await bundledRecogniser();
  matcher = recogniser.matcher;
  problems = recogniser.knowledge.problems;
});

/** Events of which the diagnoses are others, or the captured values, once they are masked. */
function changed(events: readonly { event: MatchableEvent; context?: MatchContext }[]): string[] {
  return events
    .filter(({ event, context }) => {
      const masked = { ...event, message: mask(event.message) };
      return JSON.stringify(matchEvent(matcher, masked, context)) !== JSON.stringify(matchEvent(matcher, event, context));
    })
    .map(({ event }) => event.message);
}

describe('masking and the knowledge', () => {
  it('leaves every example of a problem recognised as it was, with the same captured values', () => {
    const examples = problems.flatMap(({ examples: { match, noMatch } }) => [...match, ...noMatch]);
    expect(examples.length).toBeGreaterThan(1000);
    expect(changed(examples.map((example) => ({ event: eventOfExample(example), context: { provider: example.provider } })))).toEqual([]);
  });

  it('leaves every public sample recognised as it was', () => {
    const lines = readFileSync(new URL('samples.jsonl', import.meta.url), 'utf8').trim().split('\n');
    const samples = lines.map((line) => JSON.parse(line) as { kind: string; reason: string; type: string; reporter: string; message: string });
    expect(samples.length).toBeGreaterThanOrEqual(100);
    expect(changed(samples.map(({ kind, ...event }) => ({ event: { ...event, object: { kind } } })))).toEqual([]);
  });
});
