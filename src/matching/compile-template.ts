import { parseTemplate, type TemplatePart } from '../knowledge/parse-template.js';
import { literalOf } from './squeeze-text.js';

/** Pieces without free text between them: literals, and digits between literals. They stand or fall together. */
export interface TemplateGroup {
  /** Name of digits before the first literal; empty when they are captured for nobody. */
  leadingDigits?: string;
  literals: Uint16Array[];
  /** Names of the digits after each literal; the last literal may lack one. */
  digitsAfter: (string | undefined)[];
  /** True where a word has to start with it: at the start of the template, and behind white space and free text. */
  startBorder: boolean;
  /** True where a word has to end with it: at the end of the template, and before white space and free text. */
  endBorder: boolean;
}

/** A template, ready to be searched in a squeezed text. */
export interface CompiledTemplate {
  source: string;
  groups: TemplateGroup[];
  /** Free text before each group: a name, '' where it is not kept, undefined where there is none (first group only). */
  freeBefore: (string | undefined)[];
  /** The same after the last group. */
  freeAfter: string | undefined;
  /** Number of literal characters, white space not counted: how much the template says. */
  literal: number;
}

/** Prepares a template for matching; throws TemplateError where it cannot be matched. */
export function compileTemplate(source: string): CompiledTemplate {
  const groups: TemplateGroup[] = [];
  const freeBefore: (string | undefined)[] = [];
  let group: TemplateGroup | undefined;
  let free: string | undefined;
  let lastLiteral = '';
  for (const part of parseTemplate(source)) {
    if (isFree(part)) {
      if (group) group.endBorder = /\s$/.test(lastLiteral);
      lastLiteral = '';
      free = 'capture' in part ? part.capture : '';
      group = undefined;
      continue;
    }
    if (!group) {
      group = {
        literals: [],
        digitsAfter: [],
        startBorder: free === undefined || ('literal' in part && /^\s/.test(part.literal)),
        endBorder: false,
      };
      groups.push(group);
      freeBefore.push(free);
      free = undefined;
    }
    addTo(group, part);
    lastLiteral = 'literal' in part ? part.literal : '';
  }
  if (group) group.endBorder = true;
  const literal = groups.flatMap(({ literals }) => literals).reduce((sum, codes) => sum + codes.length, 0);
  return { source, groups, freeBefore, freeAfter: free, literal };
}

function isFree(part: TemplatePart): part is { capture: string } | { any: true } {
  return 'capture' in part || 'any' in part;
}

function addTo(group: TemplateGroup, part: { literal: string } | { digits: string }): void {
  if ('literal' in part) {
    group.literals.push(literalOf(part.literal));
    group.digitsAfter.push(undefined);
  } else if (group.literals.length === 0) group.leadingDigits = part.digits;
  else group.digitsAfter[group.digitsAfter.length - 1] = part.digits;
}
