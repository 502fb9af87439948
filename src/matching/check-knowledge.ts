import type { Knowledge, Problem } from '../knowledge/problem.js';
import type { ExampleEvent } from '../knowledge/problem-file.js';
import type { CheckFinding } from './check-finding.js';
import { compileMatcher, type Matcher } from './compile-matcher.js';
import { EventFacts, type MatchableEvent } from './event-facts.js';
import { explainMatch, type MatchExplanation } from './explain-match.js';
import { lintProblem } from './lint-problem.js';
import { whyRuleFails } from './why-rule-fails.js';

/** The event that an example of a problem stands for. */
export function eventOfExample(example: ExampleEvent): MatchableEvent {
  return {
    reason: example.reason ?? '',
    type: example.type ?? '',
    reporter: example.reporter ?? '',
    message: example.message,
    object: { kind: example.kind ?? '' },
  };
}

/**
 * Holds the examples of the problems to the whole set of problems, and looks for rules and texts that are of no use.
 * `selects` narrows down whose examples are tried, not what they are tried against.
 */
export function checkKnowledge(
  knowledge: Pick<Knowledge, 'problems'>,
  selects: (problem: Problem) => boolean = () => true,
): CheckFinding[] {
  const matcher = compileMatcher(knowledge.problems);
  return knowledge.problems.filter(selects).flatMap((problem) => [...checkExamples(problem, matcher), ...lintProblem(problem)]);
}

function checkExamples(problem: Problem, matcher: Matcher): CheckFinding[] {
  const findings: CheckFinding[] = [];
  const error = (message: string): number => findings.push({ problem: problem.id, file: problem.file, level: 'error', message });
  const exercised = new Set<number>();
  const useful = new Set<number>();
  for (const [i, example] of problem.examples.match.entries()) {
    const explained = explainMatch(matcher, eventOfExample(example), { provider: example.provider });
    const own = explained.candidates.find((candidate) => candidate.problem === problem.id);
    const place = explained.diagnoses.findIndex((diagnosis) => diagnosis.problem === problem.id);
    const right = example.rank === 'any' ? place >= 0 : place === 0;
    for (const { index } of own?.rules ?? []) {
      exercised.add(index);
      if (right) useful.add(index);
    }
    const name = `examples.match.${i} ${excerpt(example.message)}`;
    if (!right) error(`${name}: ${whyNotFirst(problem, example, explained, matcher)}`);
    for (const [key, value] of Object.entries(example.captured ?? {})) {
      const got = explained.diagnoses[place]?.captured[key];
      if (right && got !== value)
        error(`${name}: {${key}} captured ${got === undefined ? 'nothing' : JSON.stringify(got)} instead of ${JSON.stringify(value)}`);
    }
  }
  for (const [i, example] of problem.examples.noMatch.entries()) {
    const explained = explainMatch(matcher, eventOfExample(example), { provider: example.provider });
    const own = explained.diagnoses.find((diagnosis) => diagnosis.problem === problem.id);
    if (own) error(`examples.noMatch.${i} ${excerpt(example.message)}: reported all the same, because of ${own.matchedOn}`);
  }
  for (const index of problem.recognise.keys()) {
    const message = !exercised.has(index)
      ? 'no match example exercises this rule'
      : !useful.has(index)
        ? 'another problem wins in every example of this rule'
        : undefined;
    if (message) findings.push({ problem: problem.id, file: problem.file, level: 'warning', message: `recognise.${index}: ${message}` });
  }
  return findings;
}

function whyNotFirst(problem: Problem, example: ExampleEvent, explained: MatchExplanation, matcher: Matcher): string {
  const own = explained.candidates.find((candidate) => candidate.problem === problem.id);
  const first = explained.diagnoses[0];
  const winner = first && `${first.problem} comes first, because of ${first.matchedOn}`;
  if (own)
    return [winner, own.dropped && `this one is dropped: ${own.dropped}`, `its score is ${own.score} by ${own.basis}`]
      .filter(Boolean)
      .join('; ');
  const facts = new EventFacts(eventOfExample(example), { provider: example.provider });
  const reasons = matcher.rules
    .filter((rule) => rule.problem.id === problem.id)
    .map((rule) => `recognise.${rule.index}: ${whyRuleFails(rule, facts)}`);
  return ['no rule holds', ...reasons, winner].filter(Boolean).join('; ');
}

function excerpt(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ');
  return `"${line.length > 60 ? `${line.slice(0, 60)}…` : line}"`;
}
