import { describe, expect, it } from 'vitest';
import { assembleKnowledge } from './assemble-knowledge.js';
import { formatFinding } from './knowledge-error.js';

const area = `title: { en: Area, zh: 区域 }
objectKinds: [Ingress]
reporters: [l7-lb-controller]
clears: { by: quiet }
`;
const problem = `title: { en: T, zh: 题 }
summary: { en: S, zh: 摘 }
severity: error
consequence: { en: C, zh: 果 }
causes:
  - text: { en: C, zh: 因 }
    checks: [{ look: { en: L, zh: 看 } }]
    remedies: [{ en: R, zh: 修 }]
`;

function assemble(files: Record<string, string>) {
  const sources = Object.entries(files).map(([path, text]) => ({ path, file: `k/${path}`, text }));
  const { knowledge, findings } = assembleKnowledge(sources, 'v1');
  return { knowledge, findings: findings.map(formatFinding) };
}

describe('assembleKnowledge', () => {
  it('lays the defaults of the area under its problems', () => {
    const { knowledge, findings } = assemble({
      'tke/ingress/_area.yaml': area,
      'tke/ingress/E1.yaml': `${problem}recognise: [{ message: a text }, { message: b text, reporters: ['*'] }]\n`,
    });
    expect(findings).toEqual([]);
    expect(knowledge.byId.get('tke/ingress/E1')).toMatchObject({
      provider: 'tke',
      area: 'ingress',
      objectKinds: ['Ingress'],
      clears: { by: 'quiet', quiet: '30m' },
      recognise: [
        { message: 'a text', reporters: ['l7-lb-controller'] },
        { message: 'b text', reporters: ['*'] },
      ],
      file: 'k/tke/ingress/E1.yaml',
    });
    expect(knowledge.areas.get('tke/ingress')).toEqual({ en: 'Area', zh: '区域' });
    expect(Object.isFrozen(knowledge.problems[0]!.title)).toBe(true);
  });

  it('ignores files that begin with an underscore', () => {
    const { knowledge, findings } = assemble({
      'tke/ingress/_area.yaml': area,
      'tke/ingress/_notes.yaml': 'anything: goes',
      'tke/ingress/a.yaml': problem,
    });
    expect(findings).toEqual([]);
    expect(knowledge.problems.map(({ id }) => id)).toEqual(['tke/ingress/a']);
  });

  it('keeps what is sound and reports every mistake of the rest', () => {
    const { knowledge, findings } = assemble({
      'tke/ingress/_area.yaml': area,
      'tke/ingress/good.yaml': `${problem}related: [{ id: tke/ingress/bad, as: cause }]\n`,
      'tke/ingress/bad.yaml': problem.replace('severity: error', 'severity: awful').replace('zh: 修', 'zg: 修'),
    });
    expect(knowledge.problems.map(({ id }) => id)).toEqual(['tke/ingress/good']);
    expect(findings).toEqual([
      'k/tke/ingress/bad.yaml:3: severity: Invalid option: expected one of "critical"|"error"|"warning"|"info"',
      'k/tke/ingress/bad.yaml:8: causes.0.remedies.0.zh: is missing',
      'k/tke/ingress/bad.yaml:8: causes.0.remedies.0.zg: unknown field "zg"',
    ]);
  });
});
