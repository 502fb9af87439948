import { namesInTemplate, parseTemplate } from '../knowledge/parse-template.js';
import type { Problem } from '../knowledge/problem.js';
import type { CheckFinding } from './check-finding.js';
import { compileRules } from './compile-rule.js';

const eventFields = ['kind', 'namespace', 'name', 'container', 'node', 'exitCode', 'end'];
const han = /\p{Script=Han}/u;
const slot = /(?<![${%])\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/** Looks at a problem alone: enough examples, both languages, no placeholder that nothing fills. */
export function lintProblem(problem: Problem): CheckFinding[] {
  const findings: CheckFinding[] = [];
  const report = (level: CheckFinding['level'], message: string): number =>
    findings.push({ problem: problem.id, file: problem.file, level, message });
  const { match, noMatch } = problem.examples;
  if (problem.recognise.length > 0) {
    if (match.length < 2) report('error', `examples.match: ${match.length} of at least 2 examples`);
    if (noMatch.length < 1) report('error', 'examples.noMatch: at least 1 example is needed');
  } else if (match.length > 0) report('error', 'examples.match: the problem has no rules that could match');
  for (const [i, rule] of problem.recognise.entries()) {
    for (const template of [rule.message ?? []].flat())
      if (/^'.*'$/s.test(template))
        report('warning', `recognise.${i}.message: the quotes at both ends are part of the text; is it quoted twice? ${template}`);
  }
  const names = new Set([...eventFields, ...capturedNames(problem)]);
  for (const { path, en, zh } of localTexts(problem)) {
    if (/^TODO\b/.test(en) || zh.includes('待填写')) report('error', `${path}: is still the text of the skeleton`);
    if (!han.test(zh)) report('error', `${path}.zh: is not Chinese: "${zh.slice(0, 40)}"`);
    if (han.test(en.replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`/g, ''))) report('warning', `${path}.en: has Chinese in it`);
  }
  for (const { path, text } of filledTexts(problem)) {
    for (const [, name] of text.matchAll(slot)) if (!names.has(name!)) report('warning', `${path}: no rule captures {${name}}`);
  }
  return findings;
}

function capturedNames(problem: Problem): string[] {
  return compileRules(problem).flatMap((rule) => [
    ...rule.messages.flatMap(({ source }) => namesInTemplate(parseTemplate(source))),
    ...(rule.regex?.names ?? []),
  ]);
}

function localTexts(problem: Problem): { path: string; en: string; zh: string }[] {
  const causes = problem.causes.flatMap((cause, c) => [
    { path: `causes.${c}.text`, ...cause.text },
    ...cause.checks.map((check, i) => ({ path: `causes.${c}.checks.${i}.look`, ...check.look })),
    ...cause.remedies.map((remedy, i) => ({ path: `causes.${c}.remedies.${i}`, ...remedy })),
  ]);
  return [
    { path: 'title', ...problem.title },
    { path: 'summary', ...problem.summary },
    { path: 'consequence', ...problem.consequence },
    ...causes,
  ];
}

function filledTexts(problem: Problem): { path: string; text: string }[] {
  const runs = problem.causes.flatMap((cause, c) =>
    cause.checks.map((check, i) => ({ path: `causes.${c}.checks.${i}.run`, text: check.run ?? '' })),
  );
  return [
    ...runs,
    ...localTexts(problem).flatMap(({ path, en, zh }) => [
      { path: `${path}.en`, text: en },
      { path: `${path}.zh`, text: zh },
    ]),
  ];
}
