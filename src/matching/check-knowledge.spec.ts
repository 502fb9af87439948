import { describe, expect, it } from 'vitest';
import type { Problem } from '../knowledge/problem.js';
import { problemOf } from '../../test/support/problem-of.js';
import { checkKnowledge } from './check-knowledge.js';

function check(problems: Problem[], selects?: (problem: Problem) => boolean): string[] {
  const knowledge = { problems, byId: new Map(problems.map((problem) => [problem.id, problem])), areas: new Map(), version: 'v' };
  return checkKnowledge(knowledge, selects).map(({ problem, level, message }) => `${level} ${problem} ${message}`);
}

const good = problemOf('kubernetes/a/good', {
  recognise: [{ message: 'disk {disk} is full' }],
  examples: {
    match: [
      { kind: 'Pod', message: 'disk sda is full', captured: { disk: 'sda' } },
      { kind: 'Pod', message: 'the disk sdb is full.' },
    ],
    noMatch: [{ kind: 'Pod', message: 'disk sda is fully encrypted' }],
  },
});

describe('checkKnowledge', () => {
  it('passes a problem whose examples hold', () => {
    expect(check([good])).toEqual([]);
  });

  it('names the problem that wins an example, and why', () => {
    const longer = problemOf('kubernetes/a/longer', { recognise: [{ message: 'the disk {disk} is full.' }] });
    expect(check([good, longer], ({ id }) => id === good.id)).toEqual([
      'error kubernetes/a/good examples.match.1 "the disk sdb is full.": kubernetes/a/longer comes first, because of text "the disk {disk} is full." on Pod; this one is dropped: its text lies inside that of kubernetes/a/longer; its score is 11.5 by text',
    ]);
  });

  it('is content with any place where an example asks for no more', () => {
    const other = problemOf('kubernetes/a/other', { recognise: [{ message: 'quota of this account is used up' }] });
    const examples = {
      ...good.examples,
      match: [
        good.examples.match[0]!,
        { kind: 'Pod', message: 'disk sda is full; quota of this account is used up', rank: 'any' as const },
      ],
    };
    expect(check([{ ...good, examples }, other], ({ id }) => id === good.id)).toEqual([]);
  });

  it('says for each rule why it does not hold', () => {
    const problem = {
      ...good,
      recognise: [
        ...good.recognise,
        { reason: 'DiskFull' },
        { message: 'disk', reporters: ['kernel'] },
        { code: 'E4011' },
        { message: 'disk', kinds: ['Node'] },
        { message: 'disk', not: 'encrypted' },
      ],
    };
    const [finding] = check([
      {
        ...problem,
        examples: {
          ...good.examples,
          match: [{ kind: 'Pod', reporter: 'kubelet', reason: 'Odd', message: 'disk encrypted' }, ...good.examples.match],
        },
      },
    ]);
    expect(finding).toBe(
      'error kubernetes/a/good examples.match.0 "disk encrypted": no rule holds; recognise.0: the text is not found (mind word borders at both ends); recognise.1: the reason is odd; recognise.2: the reporter kubelet is a stranger; recognise.3: the text does not name the code E4011; recognise.4: the kind pod does not fit; recognise.5: the text contains what "not" rules out: "encrypted"',
    );
  });

  it('tells of wrong captures, of noMatch examples that match, and of idle rules', () => {
    const problem = {
      ...good,
      recognise: [...good.recognise, { message: 'never shown' }],
      examples: {
        match: [{ kind: 'Pod', message: 'disk sda is full', captured: { disk: 'sdz', other: 'x' } }, good.examples.match[1]!],
        noMatch: [{ kind: 'Pod', message: 'disk x is full' }],
      },
    };
    expect(check([problem])).toEqual([
      'error kubernetes/a/good examples.match.0 "disk sda is full": {disk} captured "sda" instead of "sdz"',
      'error kubernetes/a/good examples.match.0 "disk sda is full": {other} captured nothing instead of "x"',
      'error kubernetes/a/good examples.noMatch.0 "disk x is full": reported all the same, because of text "disk {disk} is full" on Pod',
      'warning kubernetes/a/good recognise.1: no match example exercises this rule',
    ]);
  });

  it('looks at texts and at the number of examples', () => {
    const text = { en: 'Full, see {nowhere} and {namespace}.', zh: 'full' };
    expect(check([{ ...good, summary: text, examples: { match: [good.examples.match[0]!], noMatch: [] } }])).toEqual([
      'error kubernetes/a/good examples.match: 1 of at least 2 examples',
      'error kubernetes/a/good examples.noMatch: at least 1 example is needed',
      'error kubernetes/a/good summary.zh: is not Chinese: "full"',
      'warning kubernetes/a/good summary.en: no rule captures {nowhere}',
    ]);
  });

  it('does not take the skeleton of a new problem for a text', () => {
    expect(check([{ ...good, summary: { en: 'TODO what it is.', zh: '待填写' } }])).toEqual([
      'error kubernetes/a/good summary: is still the text of the skeleton',
    ]);
  });
});
