import { describe, expect, it } from 'vitest';
import { checkGuide, problemsOfGuide } from './check-guide.js';
import { GuideFile } from './guide-file.js';

const text = { en: 'Something.', zh: '某事。' };
const known = { problems: new Set(['kubernetes/a/one', 'kubernetes/a/two']), guides: new Set(['guide/other']) };

function guide(steps: Record<string, object[]>, problems: string[] = []): GuideFile {
  return GuideFile.parse({
    title: text,
    symptom: text,
    problems,
    steps: Object.entries(steps).map(([id, outcomes]) => ({ id, check: text, outcomes: outcomes.map((outcome) => ({ when: text, ...outcome })) })),
  });
}

function check(file: GuideFile): string[] {
  return checkGuide(file, known).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('checkGuide', () => {
  it('passes a walk of which every step is reached, also in a circle', () => {
    const file = guide(
      { first: [{ lead: { step: 'second' } }, { means: text }], second: [{ lead: { step: 'first' } }, { lead: { problem: 'kubernetes/a/two' } }, { lead: { guide: 'guide/other' } }] },
      ['kubernetes/a/one'],
    );
    expect(check(file)).toEqual([]);
  });

  it('names every link that leads nowhere', () => {
    const file = guide({ first: [{ lead: { step: 'nowhere' } }, { lead: { problem: 'kubernetes/a/three' } }, { lead: { guide: 'guide/none' } }] }, ['kubernetes/a/four']);
    expect(check(file)).toEqual([
      'problems.0: there is no problem "kubernetes/a/four"',
      'steps.0.outcomes.0.lead.step: there is no step "nowhere"',
      'steps.0.outcomes.1.lead.problem: there is no problem "kubernetes/a/three"',
      'steps.0.outcomes.2.lead.guide: there is no guide "guide/none"',
    ]);
  });

  it('names steps that the walk never reaches', () => {
    const file = guide({ first: [{ means: text }], second: [{ lead: { step: 'third' } }], third: [{ lead: { step: 'second' } }] });
    expect(check(file)).toEqual(['steps.1.id: no outcome leads to the step "second"', 'steps.2.id: no outcome leads to the step "third"']);
  });

  it('names steps of one name and outcomes that say nothing', () => {
    const file = guide({ first: [{}] });
    expect(check({ ...file, steps: [...file.steps, ...file.steps] })).toEqual([
      'steps.1.id: two steps are called "first"',
      'steps.0.outcomes.0: says nothing: it needs at least one of means, remedy, lead',
      'steps.1.outcomes.0: says nothing: it needs at least one of means, remedy, lead',
    ]);
  });
});

describe('problemsOfGuide', () => {
  it('gives the problems it is about before those it leads to, each once', () => {
    const file = guide({ first: [{ lead: { problem: 'kubernetes/a/two' } }, { lead: { problem: 'kubernetes/a/one' } }] }, ['kubernetes/a/one']);
    expect(problemsOfGuide(file)).toEqual(['kubernetes/a/one', 'kubernetes/a/two']);
  });
});
