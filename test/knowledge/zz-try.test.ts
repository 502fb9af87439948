import { it } from 'vitest';
import { bundledKnowledge } from '../support/bundled-knowledge.js';
import { searchProblems } from '../../src/api/search-problems.js';
it('tries', async () => {
  const { knowledge } = await bundledKnowledge() as any;
  let t = performance.now();
  searchProblems(knowledge, { search: 'x' });
  console.log('build', performance.now() - t);
  for (const q of ['CPU不足','CPU 不足','hairpin','内存 不足','image pull','pull image failed','证书 过期','节点 磁盘','E40','service without endpoints','oom killed container','no nodes available','pod eviction','certificate']) {
    t = performance.now();
    const r = searchProblems(knowledge, { search: q });
    console.log(q, '|', r.length, (performance.now() - t).toFixed(1), r.slice(0, 6).map((x) => `${x.problem.id}(${(-x.rank / 1e6).toFixed(1)})`).join(' '));
  }
});
