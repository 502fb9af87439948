import { describe, expect, it } from 'vitest';
import type { Knowledge, Problem } from '../knowledge/problem.js';
import { problemOf } from '../../test/support/problem-of.js';
import { problemsOfCode, searchProblems } from './search-problems.js';

function knowledgeOf(...problems: Problem[]): Knowledge {
  return {
    problems,
    byId: new Map(problems.map((problem) => [problem.id, problem])),
    reference: { annotations: [], podStates: [], exitCodes: { codes: [] }, nodeConditions: { conditions: [], taints: [] } },
    areas: new Map([['tke/ingress', { en: 'TKE Ingress', zh: 'TKE Ingress' }]]),
    version: '1',
  } as unknown as Knowledge;
}

const named = (id: string, en: string, zh: string, fields: Partial<Problem> = {}): Problem =>
  problemOf(id, { title: { en, zh }, ...fields });

const knowledge = knowledgeOf(
  named('kubernetes/image/not-found', 'Image is missing', '镜像不存在', { summary: { en: 'E4011 is not it.', zh: '无' } }),
  named('tke/ingress/E4011', 'No certificate', '没有证书', { code: 'E4011', objectKinds: ['Ingress'] }),
  named('tke/service/E4011', 'Listener is taken', '监听器被占用', { code: 'E4011', objectKinds: ['Service'] }),
);
const idsOf = (search: string): string[] => searchProblems(knowledge, { search }).map(({ problem }) => problem.id);

describe('searchProblems', () => {
  it('lists all by id without words', () => {
    expect(searchProblems(knowledge, {}).map(({ problem, rank }) => [problem.id, rank])).toEqual(
      knowledge.problems.map(({ id }) => [id, 0]),
    );
  });

  it('puts those first whose name fits, then titles, then texts', () => {
    expect(idsOf('e4011')).toEqual(['tke/ingress/E4011', 'tke/service/E4011', 'kubernetes/image/not-found']);
    expect(idsOf('IS')).toEqual(['kubernetes/image/not-found', 'tke/service/E4011']);
  });

  it('needs every word, in either language', () => {
    expect(idsOf('证书 e4011')).toEqual(['tke/ingress/E4011']);
    expect(idsOf('certificate listener')).toEqual([]);
  });

  it('restricts by provider and area', () => {
    expect(searchProblems(knowledge, { provider: 'tke', area: 'service' })).toHaveLength(1);
  });
});

describe('problemsOfCode', () => {
  it('knows a code for each kind', () => {
    expect(problemsOfCode(knowledge, ' e4011 ')).toHaveLength(2);
    expect(problemsOfCode(knowledge, 'E4011', 'service').map(({ id }) => id)).toEqual(['tke/service/E4011']);
    expect(problemsOfCode(knowledge, 'E4011', undefined, 'ack')).toEqual([]);
    expect(problemsOfCode(knowledge, '')).toEqual([]);
  });
});
