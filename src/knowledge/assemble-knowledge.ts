import { assembleGuides } from './assemble-guides.js';
import { assembleReference } from './assemble-reference.js';
import { checkClears, checkRule } from './check-rule.js';
import type { Finding } from './knowledge-error.js';
import type { KnowledgeSource } from './knowledge-source.js';
import { AreaFile, ProblemFile, Provider } from './problem-file.js';
import type { Knowledge, Problem } from './problem.js';
import { readYaml, type LocatedYaml } from './read-yaml.js';
import { relateProblems } from './relate-problems.js';

interface Parsed {
  problem: Problem;
  yaml: LocatedYaml<ProblemFile>;
}

/**
 * Makes one set of problems, guides and tables of many files. Every mistake is reported; the set holds what is sound, so that a checker can
 * go on beside a broken file. Whether a set with findings may be used is the caller's decision.
 */
export function assembleKnowledge(sources: readonly KnowledgeSource[], version: string): { knowledge: Knowledge; findings: Finding[] } {
  const findings: Finding[] = [];
  const areas = new Map<string, AreaFile>();
  const wanted: { source: KnowledgeSource; id: string; provider: Provider; area: string }[] = [];
  const areasTried = new Set<string>();
  const inFolder = (folder: string): KnowledgeSource[] => sources.filter(({ path }) => path.startsWith(`${folder}/`));
  const [guideSources, referenceSources] = [inFolder('guides'), inFolder('reference')];
  for (const source of sources) {
    if (guideSources.includes(source) || referenceSources.includes(source)) continue;
    const [provider, area, name, ...deeper] = source.path.replace(/\.ya?ml$/, '').split('/');
    const wrong = wrongPlace(source.path, provider, area, name, deeper);
    if (wrong !== undefined) {
      findings.push({ file: source.file, line: 1, path: '', message: wrong });
    } else if (name === '_area') {
      const yaml = readYaml(source.file, source.text, AreaFile);
      findings.push(...yaml.findings);
      areasTried.add(`${provider}/${area}`);
      if (yaml.value) {
        areas.set(`${provider}/${area}`, yaml.value);
        if (yaml.value.clears)
          for (const m of checkClears(yaml.value.clears)) findings.push(at(source, yaml, ['clears', ...m.path], m.message));
      }
    } else if (!name!.startsWith('_')) {
      wanted.push({ source, id: `${provider}/${area}/${name}`, provider: Provider.parse(provider), area: area! });
    }
  }
  const parsed = new Map<string, Parsed>();
  for (const { source, id, provider, area } of wanted) {
    const yaml = readYaml(source.file, source.text, ProblemFile);
    findings.push(...yaml.findings);
    if (!yaml.value) continue;
    if (!areasTried.has(`${provider}/${area}`)) {
      areasTried.add(`${provider}/${area}`);
      findings.push({ file: source.file, line: 1, path: '', message: `the area ${provider}/${area} has no _area.yaml` });
    }
    const mistakes = findings.length;
    const problem = completeProblem(yaml.value, areas.get(`${provider}/${area}`), { id, provider, area, file: source.file });
    if (!problem.objectKinds) findings.push(at(source, yaml, ['objectKinds'], 'is missing, and the area gives no default'));
    if (!problem.clears) findings.push(at(source, yaml, ['clears'], 'is missing, and the area gives no default'));
    for (const [i, rule] of yaml.value.recognise.entries())
      for (const m of checkRule(rule)) findings.push(at(source, yaml, ['recognise', i, ...m.path], m.message));
    if (yaml.value.clears)
      for (const m of checkClears(yaml.value.clears)) findings.push(at(source, yaml, ['clears', ...m.path], m.message));
    if (findings.length === mistakes) parsed.set(id, { problem: problem as Problem, yaml });
  }
  const problems = new Map([...parsed].map(([id, { problem }]) => [id, problem]));
  const ids = new Set(wanted.map(({ id }) => id));
  for (const mistake of relateProblems(problems, ids)) {
    const { problem, yaml } = parsed.get(mistake.id)!;
    findings.push({
      file: problem.file,
      line: yaml.lineOf(['related', mistake.index, 'id']),
      path: `related.${mistake.index}`,
      message: mistake.message,
    });
  }
  const { findings: guideFindings, ...guides } = assembleGuides(guideSources, ids);
  const tables = assembleReference(referenceSources, { problems: ids, guides: new Set(guides.guideById.keys()) });
  findings.push(...guideFindings, ...tables.findings);
  const sorted = [...problems.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const knowledge: Knowledge = {
    problems: sorted,
    byId: new Map(sorted.map((problem) => [problem.id, problem])),
    areas: new Map([...areas].map(([id, area]) => [id, area.title])),
    ...guides,
    reference: tables.reference,
    version,
  };
  for (const list of [sorted, guides.guides, tables.reference]) freeze(list);
  return {
    knowledge: Object.freeze(knowledge),
    findings: findings.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line)),
  };
}

function wrongPlace(path: string, provider?: string, area?: string, name?: string, deeper?: string[]): string | undefined {
  if (!Provider.safeParse(provider).success) return `"${provider}" is no provider; expected one of ${Provider.options.join(', ')}`;
  if (!area || !name || deeper?.length) return 'expected the path <provider>/<area>/<name>.yaml';
  if (!path.endsWith('.yaml')) return 'the file has to end in .yaml';
  if (!/^[a-z0-9-]+$/.test(area) || !/^_?[A-Za-z0-9-]+$/.test(name))
    return 'the path may hold letters, digits and "-" only, the folders in lower case';
  return undefined;
}

function completeProblem(
  file: ProblemFile,
  area: AreaFile | undefined,
  origin: { id: string; provider: Provider; area: string; file: string },
): Omit<Problem, 'objectKinds' | 'clears'> & { objectKinds?: Problem['objectKinds']; clears?: Problem['clears'] } {
  const objectKinds = file.objectKinds ?? area?.objectKinds;
  const clears = file.clears ?? area?.clears;
  const recognise = file.recognise.map((rule) => (rule.reporters || !area?.reporters ? rule : { ...rule, reporters: area.reporters }));
  return { ...file, ...origin, ...(objectKinds && { objectKinds }), ...(clears && { clears }), recognise };
}

function at(source: KnowledgeSource, yaml: LocatedYaml<unknown>, path: (string | number)[], message: string): Finding {
  return { file: source.file, line: yaml.lineOf(path), path: path.join('.'), message };
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const inner of Object.values(value)) freeze(inner);
}
