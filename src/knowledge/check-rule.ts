import { RE2JS } from 're2js';
import { parseTemplate, TemplateError } from './parse-template.js';
import type { Clears, Rule } from './problem-file.js';

/** A mistake inside a rule, at a path relative to it. */
export interface RuleMistake {
  path: (string | number)[];
  message: string;
}

/** Finds templates and expressions of a rule that cannot be matched. */
export function checkRule(rule: Rule): RuleMistake[] {
  const mistakes = [...checkTemplates(rule.message, ['message']), ...checkTemplates(rule.not, ['not'])];
  if (rule.regex !== undefined) {
    try {
      RE2JS.compile(rule.regex, RE2JS.CASE_INSENSITIVE);
    } catch (error) {
      mistakes.push({ path: ['regex'], message: `not an RE2 expression: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
  return mistakes;
}

/** Finds templates of the clearing events that cannot be matched. */
export function checkClears(clears: Clears): RuleMistake[] {
  if (!('on' in clears)) return [];
  return clears.on.flatMap((on, i) => (typeof on === 'string' ? [] : checkTemplates(on.message, ['on', i, 'message'])));
}

function checkTemplates(templates: string | string[] | undefined, path: (string | number)[]): RuleMistake[] {
  const list = templates === undefined ? [] : Array.isArray(templates) ? templates : [templates];
  return list.flatMap((template, i) => {
    try {
      parseTemplate(template);
      return [];
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return [{ path: Array.isArray(templates) ? [...path, i] : path, message: error.message }];
    }
  });
}
