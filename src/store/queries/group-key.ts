import type { Dimension } from './cell-source.js';
import { OF_PROBLEM } from './cell-source.js';
import type { Put } from './happening-filter.js';

/** What follows from a problem's id by the knowledge of today. */
export interface ProblemFacts {
  id: string;
  code: string | null;
  area: string;
  severity: string;
  provider: string;
}

/** The key of each dimension, of cells `x`, their cluster `c` and the facts `m` of their problem; empty when unknown. */
const KEY: Record<Dimension, string> = {
  cluster: 'c.name',
  clusterProvider: 'c.provider',
  region: `COALESCE(c.region, '')`,
  namespace: 'x.namespace',
  problem: 'x.problem_id',
  code: `COALESCE(m.code, '')`,
  area: `COALESCE(m.area, '')`,
  severity: `COALESCE(m.severity, '')`,
  provider: `COALESCE(m.provider, '')`,
  status: 'x.status',
};

/** The key of a group as an array of texts, one for each dimension, and the tables that it is taken from besides `x`. */
export function groupKey(dimensions: readonly Dimension[], facts: readonly ProblemFacts[], put: Put): { key: string; joins: string } {
  const ofProblem = dimensions.some((dimension) => dimension !== 'problem' && OF_PROBLEM.has(dimension));
  const joins = [
    // Of a cluster that is being removed only a part is left, which adds up to nothing that is true.
    'JOIN cluster c ON c.id = x.cluster_id AND c.removing_at IS NULL',
    ...(ofProblem
      ? [
          `LEFT JOIN json_to_recordset(${put(JSON.stringify(facts))}::json) AS m(id text, code text, area text, severity text, provider text)
             ON m.id = x.problem_id`,
        ]
      : []),
  ].join(' ');
  return { key: `ARRAY[${dimensions.map((dimension) => KEY[dimension]).join(', ')}]::text[]`, joins };
}
