import type { Problem } from './problem.js';

type Relation = Problem['related'][number];

const inverse = { cause: 'effect', effect: 'cause', similar: 'similar' } as const;

/** A relation that cannot stand: the problem that writes it, its position in `related`, and why. */
export interface RelationMistake {
  id: string;
  index: number;
  message: string;
}

/**
 * Completes the relations: the author writes one side, the other is added here. Relations to unknown problems, to the
 * problem itself, and circles of causes are returned as mistakes.
 */
export function relateProblems(problems: Map<string, Problem>, knownElsewhere: ReadonlySet<string> = new Set()): RelationMistake[] {
  const mistakes: RelationMistake[] = [];
  const complete = new Map<string, Relation[]>([...problems.keys()].map((id) => [id, []]));
  for (const problem of problems.values()) {
    for (const [index, relation] of problem.related.entries()) {
      const other = complete.get(relation.id);
      if (relation.id === problem.id) mistakes.push({ id: problem.id, index, message: 'a problem is not related to itself' });
      else if (other) {
        add(complete.get(problem.id)!, relation);
        add(other, { id: problem.id, as: inverse[relation.as] });
      } else if (!knownElsewhere.has(relation.id))
        mistakes.push({ id: problem.id, index, message: `there is no problem "${relation.id}"` });
    }
  }
  for (const [id, related] of complete) problems.set(id, { ...problems.get(id)!, related });
  return [...mistakes, ...circles(problems)];
}

function add(relations: Relation[], relation: Relation): void {
  if (!relations.some((known) => known.id === relation.id && known.as === relation.as)) relations.push(relation);
}

/** Walks the cause relations; a problem met again on the way down is its own cause. */
function circles(problems: Map<string, Problem>): RelationMistake[] {
  const mistakes: RelationMistake[] = [];
  const done = new Set<string>();
  const walk = (id: string, way: string[]): void => {
    const at = way.indexOf(id);
    if (at >= 0) {
      mistakes.push({ id, index: 0, message: `causes go in a circle: ${[...way.slice(at), id].join(' <- ')}` });
      return;
    }
    if (done.has(id)) return;
    for (const relation of problems.get(id)?.related ?? []) if (relation.as === 'cause') walk(relation.id, [...way, id]);
    done.add(id);
  };
  for (const id of problems.keys()) walk(id, []);
  return mistakes;
}
