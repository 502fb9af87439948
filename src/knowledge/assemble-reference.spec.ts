import { describe, expect, it } from 'vitest';
import { assembleReference } from './assemble-reference.js';
import { formatFinding } from './knowledge-error.js';

const known = { problems: new Set(['kubernetes/a/one']), guides: new Set(['guide/one']) };
const text = 'meaning: { en: Something., zh: 某事。 }';

function assemble(files: Record<string, string>) {
  const sources = Object.entries(files).map(([path, yaml]) => ({ path, file: path, text: yaml }));
  const { reference, findings } = assembleReference(sources, known);
  return { reference, findings: findings.map(formatFinding) };
}

describe('assembleReference', () => {
  it('gives empty tables where there are no files', () => {
    const { reference, findings } = assemble({});
    expect(findings).toEqual([]);
    expect(reference).toEqual({
      exitCodes: { signals: [], codes: [], ranges: [] },
      podStates: [],
      annotations: [],
      nodeConditions: { conditions: [], taints: [] },
      loadBalancerRules: [],
    });
  });

  it('names files that are no table, and mistakes of shape with their line', () => {
    const { findings } = assemble({ 'reference/colours.yaml': '{}', 'reference/pod-states.yaml': 'states:\n  - name: Error\n    kind: mood\n    meaning: { en: A, zh: 甲 }\n' });
    expect(findings).toEqual([
      expect.stringContaining('reference/colours.yaml:1: expected the path reference/<name>.yaml with one of exit-codes, pod-states'),
      expect.stringContaining('reference/pod-states.yaml:3: states.0.kind: Invalid option'),
    ]);
  });

  it('names links that lead nowhere and names that stand there twice', () => {
    const { findings } = assemble({
      'reference/pod-states.yaml': `states:
  - { name: Error, kind: terminated, ${text}, problems: [kubernetes/a/one, kubernetes/a/two], guides: [guide/two] }
  - { name: Lost, kind: phase, aliases: [Error], ${text} }
`,
    });
    expect(findings).toEqual([
      'reference/pod-states.yaml:3: states.1.name: "Error" stands there twice',
      'reference/pod-states.yaml:2: states.0.problems.1: there is no problem "kubernetes/a/two"',
      'reference/pod-states.yaml:2: states.0.guides.0: there is no guide "guide/two"',
    ]);
  });

  it('names exit codes that nobody explains, and signals that do not fit', () => {
    const own = `origin: signal, title: { en: A, zh: 甲 }, ${text}`;
    const { findings } = assemble({
      'reference/exit-codes.yaml': `signals: [{ name: SIGKILL, number: 9, action: Term, ${text} }]
codes:
  - { code: 138, signal: SIGKILL, ${own} }
  - { code: 139, signal: SIGSEGV, ${own} }
ranges:
  - { from: 0, to: 254, ${own} }
`,
    });
    expect(findings).toEqual([
      'reference/exit-codes.yaml:3: codes.0.code: SIGKILL is signal 9, which gives 137',
      'reference/exit-codes.yaml:4: codes.1.signal: there is no signal "SIGSEGV"',
      'reference/exit-codes.yaml:5: ranges: no entry and no range holds 255',
    ]);
  });

  it('names taints and annotations that no table knows', () => {
    const { findings } = assemble({
      'reference/node-conditions.yaml': `conditions: [{ type: Ready, status: 'False', taint: a/b, ${text} }]\n`,
      'reference/load-balancer-rules.yaml': `rules:\n  - { id: one, provider: ack, kind: Service, creates: true, when: { en: A, zh: 甲 }, means: { en: A, zh: 甲 }, annotations: [c/d] }\n`,
    });
    expect(findings).toEqual([
      'reference/node-conditions.yaml:1: conditions.0.taint: there is no taint "a/b"',
      'reference/load-balancer-rules.yaml:2: rules.0.annotations.0: there is no annotation "c/d"',
    ]);
  });
});
