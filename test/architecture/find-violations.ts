import { resolve } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { FORBIDDEN } from './rules.js';

/** One import that breaks a rule. */
export interface Violation {
  rule: string;
  from: string;
  to: string;
}

/** Follows every import in `<folder>/src`, type imports included, and reports those that break a rule. */
export async function findViolations(folder: string): Promise<{ files: number; violations: Violation[] }> {
  const { output } = await cruise(
    ['src'],
    {
      baseDir: resolve(folder),
      validate: true,
      ruleSet: { forbidden: FORBIDDEN },
      doNotFollow: { path: 'node_modules' },
      tsPreCompilationDeps: true,
      combinedDependencies: true,
    },
    { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
    { tsConfig: extractTSConfig(resolve('tsconfig.json')) },
  );
  const { summary, modules } = output as ICruiseResult;
  const violations = summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
  return { files: modules.filter((module) => module.source.startsWith('src/')).length, violations };
}
