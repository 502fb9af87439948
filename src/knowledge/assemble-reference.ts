import type { z } from 'zod';
import type { KnownIds } from './check-guide.js';
import { checkReference } from './check-reference.js';
import type { Finding } from './knowledge-error.js';
import type { KnowledgeSource } from './knowledge-source.js';
import { readYaml } from './read-yaml.js';
import { isReferenceName, referenceFiles, type Reference, type ReferenceName } from './reference-file.js';

/** Makes the tables of `reference/<name>.yaml`; `known` are the ids that their links may name. */
export function assembleReference(sources: readonly KnowledgeSource[], known: KnownIds): { reference: Reference; findings: Finding[] } {
  const findings: Finding[] = [];
  const places = new Map<ReferenceName, { file: string; lineOf(path: readonly PropertyKey[]): number }>();
  for (const { path, file } of sources) {
    if (!isReferenceName(/^reference\/(.+)\.yaml$/.exec(path)?.[1] ?? ''))
      findings.push({ file, line: 1, path: '', message: `expected the path reference/<name>.yaml with one of ${Object.keys(referenceFiles).join(', ')}` });
  }
  const table = <S extends z.ZodType>(name: ReferenceName, schema: S): z.output<S> => {
    const source = sources.find(({ path }) => path === `reference/${name}.yaml`);
    const yaml = readYaml(source?.file ?? '', source?.text ?? '', schema);
    findings.push(...yaml.findings);
    if (source && yaml.findings.length === 0) places.set(name, { file: source.file, lineOf: yaml.lineOf });
    return yaml.value ?? schema.parse({});
  };
  const reference: Reference = {
    exitCodes: table('exit-codes', referenceFiles['exit-codes']),
    podStates: table('pod-states', referenceFiles['pod-states']).states,
    annotations: table('annotations', referenceFiles.annotations).annotations,
    nodeConditions: table('node-conditions', referenceFiles['node-conditions']),
    loadBalancerRules: table('load-balancer-rules', referenceFiles['load-balancer-rules']).rules,
  };
  for (const [name, { file, lineOf }] of places)
    for (const { path, message } of checkReference(name, reference, known)) findings.push({ file, line: lineOf(path), path: path.join('.'), message });
  return { reference, findings };
}
