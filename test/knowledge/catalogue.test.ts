import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadKnowledge } from '../../src/knowledge/knowledge.loader.js';
import type { Clears } from '../../src/knowledge/problem-file.js';
import type { Knowledge, Problem } from '../../src/knowledge/problem.js';

/** One problem that Casebook has to know, and how bad it is and how it ends. */
interface Entry {
  id: string;
  code: string | null;
  severity: string;
  risk: string | null;
  /** `success-event: A,B`, `paired: A`, `quiet`, `terminal` or `object-gone`. */
  clears: string;
  transient: boolean;
  fallback: boolean;
  related: string[];
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const catalogue = read('catalogue.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Entry);
/** Names, commands and annotations that a right answer has to mention, by problem. */
const facts = JSON.parse(read('facts.json')) as Record<string, string[]>;

/** Facts that are left out on purpose, with the reason. */
const LEFT_OUT: Record<string, Record<string, string>> = {};

let knowledge: Knowledge;

beforeAll(async () => {
  knowledge = await loadKnowledge({ bundled: resolve('knowledge') });
});

/** The same way of ending, and at least the events that the catalogue names by reason. */
function agrees(clears: Clears, wanted: string): boolean {
  const [by, on = ''] = wanted.split(': ');
  if (clears.by !== by) return false;
  const reasons = 'on' in clears ? clears.on.map((event) => (typeof event === 'string' ? event : event.reason)) : [];
  return on
    .split(',')
    .filter((reason) => reason !== '' && reason !== '*normal' && reason !== 'condition-false')
    .every((reason) => reasons.includes(reason));
}

function textOf(problem: Problem): string {
  return JSON.stringify(problem).replaceAll('\\"', '"').replace(/[\s\\]+/g, '').toLowerCase();
}

describe('the catalogue', () => {
  it('is complete', () => {
    expect(catalogue.map(({ id }) => id).filter((id) => !knowledge.byId.has(id))).toEqual([]);
  });

  it('states how bad each problem is and how it ends', () => {
    const differing = catalogue.flatMap((entry) => {
      const problem = knowledge.byId.get(entry.id);
      if (!problem) return [];
      const wrong: string[] = [];
      if (problem.severity !== entry.severity) wrong.push(`severity ${problem.severity}, not ${entry.severity}`);
      if ((problem.risk ?? null) !== entry.risk) wrong.push(`risk ${problem.risk}, not ${entry.risk}`);
      if ((problem.code ?? null) !== entry.code) wrong.push(`code ${problem.code}, not ${entry.code}`);
      if (problem.transient !== entry.transient) wrong.push(`transient ${problem.transient}`);
      if (problem.fallback !== entry.fallback) wrong.push(`fallback ${problem.fallback}`);
      if (!agrees(problem.clears, entry.clears)) wrong.push(`clears ${JSON.stringify(problem.clears)}, not ${entry.clears}`);
      const missing = entry.related.filter((id) => !problem.related.some((other) => other.id === id));
      if (missing.length > 0) wrong.push(`not related to ${missing.join(', ')}`);
      return wrong.map((what) => `${entry.id}: ${what}`);
    });
    expect(differing).toEqual([]);
  });

  it('points to further reading for every problem', () => {
    expect(knowledge.problems.filter(({ references }) => references.length === 0).map(({ id }) => id)).toEqual([]);
  });

  it('mentions every fact that an answer has to mention', () => {
    const missing = Object.entries(facts).flatMap(([id, tokens]) => {
      const problem = knowledge.byId.get(id);
      if (!problem) return [];
      const text = textOf(problem);
      return tokens.filter((token) => !text.includes(token.replace(/[\s\\]+/g, '').toLowerCase()) && !LEFT_OUT[id]?.[token]).map((token) => `${id}: ${token}`);
    });
    expect(missing).toEqual([]);
  });
});
