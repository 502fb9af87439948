import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Matcher } from '../../src/matching/compile-matcher.js';
import { matchEvent } from '../../src/matching/match-event.js';
import { bundledRecogniser } from '../support/story.js';

interface Sample {
  kind: string;
  reason: string;
  type: string;
  reporter: string;
  message: string;
  /** Problems of which any one is right as the first answer. */
  accept: string[];
  /** True when nothing must be reported. */
  none: boolean;
}

const samples = readFileSync(new URL('samples.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Sample);

let matcher: Matcher;

beforeAll(async () => {
  ({ matcher } = await bundledRecogniser());
});

const firstOf = ({ kind, ...event }: Sample): string | undefined => matchEvent(matcher, { ...event, object: { kind } })[0]?.problem;

describe('events as they appear in public', () => {
  it.each(samples.filter(({ none }) => !none).map((sample) => [sample.accept[0], sample.message.slice(0, 60), sample] as const))('are %s: %s', (_, __, sample) => {
    expect(sample.accept).toContain(firstOf(sample));
  });

  it.each(samples.filter(({ none }) => none).map((sample) => [sample.message.slice(0, 60), sample] as const))('are nothing: %s', (_, sample) => {
    expect(firstOf(sample)).toBeUndefined();
  });
});
