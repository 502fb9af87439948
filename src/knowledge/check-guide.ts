import type { GuideFile } from './guide-file.js';

/** Which ids exist, for telling dead links. */
export interface KnownIds {
  problems: ReadonlySet<string>;
  guides: ReadonlySet<string>;
}

/** A mistake inside a file, at a path of it. */
export interface LinkMistake {
  path: (string | number)[];
  message: string;
}

/** Finds links of a guide that lead nowhere, steps that the walk never reaches, and outcomes that say nothing. */
export function checkGuide(guide: GuideFile, known: KnownIds): LinkMistake[] {
  const mistakes: LinkMistake[] = [...deadLinks(guide.problems, known.problems, 'problem', ['problems'])];
  const steps = new Map<string, number>();
  for (const [i, step] of guide.steps.entries()) {
    if (steps.has(step.id)) mistakes.push({ path: ['steps', i, 'id'], message: `two steps are called "${step.id}"` });
    else steps.set(step.id, i);
  }
  for (const [i, step] of guide.steps.entries()) {
    for (const [j, { lead, means, remedy }] of step.outcomes.entries()) {
      const path = ['steps', i, 'outcomes', j];
      if (!lead && !means && !remedy) mistakes.push({ path, message: 'says nothing: it needs at least one of means, remedy, lead' });
      if (!lead) continue;
      if ('step' in lead && !steps.has(lead.step)) mistakes.push({ path: [...path, 'lead', 'step'], message: `there is no step "${lead.step}"` });
      if ('problem' in lead && !known.problems.has(lead.problem))
        mistakes.push({ path: [...path, 'lead', 'problem'], message: `there is no problem "${lead.problem}"` });
      if ('guide' in lead && !known.guides.has(lead.guide))
        mistakes.push({ path: [...path, 'lead', 'guide'], message: `there is no guide "${lead.guide}"` });
    }
  }
  const reached = reachedSteps(guide);
  for (const [i, step] of guide.steps.entries())
    if (!reached.has(step.id)) mistakes.push({ path: ['steps', i, 'id'], message: `no outcome leads to the step "${step.id}"` });
  return mistakes;
}

/** Mistakes for the ids of a list that do not exist. */
export function deadLinks(ids: readonly string[], known: ReadonlySet<string>, what: 'problem' | 'guide', path: (string | number)[]): LinkMistake[] {
  return ids.flatMap((id, i) => (known.has(id) ? [] : [{ path: [...path, i], message: `there is no ${what} "${id}"` }]));
}

/** Ids of the problems that a guide is about or leads to, each once, those it is about first. */
export function problemsOfGuide(guide: GuideFile): string[] {
  const led = guide.steps.flatMap(({ outcomes }) => outcomes.flatMap(({ lead }) => (lead && 'problem' in lead ? [lead.problem] : [])));
  return [...new Set([...guide.problems, ...led])];
}

function reachedSteps(guide: GuideFile): Set<string> {
  const byId = new Map(guide.steps.map((step) => [step.id, step]));
  const reached = new Set<string>();
  const waiting = guide.steps.slice(0, 1);
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    if (reached.has(step.id)) continue;
    reached.add(step.id);
    for (const { lead } of step.outcomes) {
      const next = lead && 'step' in lead ? byId.get(lead.step) : undefined;
      if (next) waiting.push(next);
    }
  }
  return reached;
}
