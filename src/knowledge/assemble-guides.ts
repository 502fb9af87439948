import { checkGuide, problemsOfGuide } from './check-guide.js';
import { GuideFile } from './guide-file.js';
import type { Finding } from './knowledge-error.js';
import type { KnowledgeSource } from './knowledge-source.js';
import type { Guide } from './problem.js';
import { readYaml } from './read-yaml.js';

/** The guides, by id too, and those of each problem. */
export interface AssembledGuides {
  guides: Guide[];
  guideById: Map<string, Guide>;
  guidesByProblem: Map<string, Guide[]>;
  findings: Finding[];
}

/** Makes the guides of `guides/<name>.yaml`. `problems` are the ids that their links may name. */
export function assembleGuides(sources: readonly KnowledgeSource[], problems: ReadonlySet<string>): AssembledGuides {
  const findings: Finding[] = [];
  const wanted = sources.flatMap((source) => {
    const name = /^guides\/([a-z0-9-]+)\.yaml$/.exec(source.path)?.[1];
    if (name !== undefined) return [{ source, id: `guide/${name}` }];
    findings.push({ file: source.file, line: 1, path: '', message: 'expected the path guides/<name>.yaml, with lower-case letters, digits and "-" only' });
    return [];
  });
  const known = { problems, guides: new Set(wanted.map(({ id }) => id)) };
  const guides: Guide[] = [];
  for (const { source, id } of wanted) {
    const yaml = readYaml(source.file, source.text, GuideFile);
    findings.push(...yaml.findings);
    if (!yaml.value) continue;
    for (const { path, message } of checkGuide(yaml.value, known))
      findings.push({ file: source.file, line: yaml.lineOf(path), path: path.join('.'), message });
    guides.push({ ...yaml.value, id, file: source.file });
  }
  guides.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { guides, guideById: new Map(guides.map((guide) => [guide.id, guide])), guidesByProblem: byProblem(guides), findings };
}

/** A guide that is about a problem comes before one that only may lead to it. */
function byProblem(guides: readonly Guide[]): Map<string, Guide[]> {
  const map = new Map<string, Guide[]>();
  for (const about of [true, false]) {
    for (const guide of guides) {
      for (const id of problemsOfGuide(guide)) {
        if (guide.problems.includes(id) === about) map.set(id, [...(map.get(id) ?? []), guide]);
      }
    }
  }
  return map;
}
