/** One piece of a template: literal text, a captured placeholder, digits, or any text that is not kept. */
export type TemplatePart = { literal: string } | { capture: string } | { digits: string } | { any: true };

/** A mistake in a template, in words for its author. */
export class TemplateError extends Error {}

const placeholder = /^([A-Za-z][A-Za-z0-9_]*)(:int)?$/;
const blank = /^[\s\\]*$/;

/** Parses `{name}`, `{name:int}`, `{*}`, `{{` and `}}`; throws TemplateError where the text cannot be matched as written. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = '';
  const flush = (): void => {
    if (!blank.test(literal)) parts.push({ literal });
    literal = '';
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if ((c === '{' || c === '}') && text[i + 1] === c) {
      literal += c;
      i++;
    } else if (c === '}') {
      throw new TemplateError('a "}" without its "{"; a literal brace is written "}}"');
    } else if (c === '{') {
      const end = text.indexOf('}', i);
      const inner = end < 0 ? text.slice(i + 1) : text.slice(i + 1, end);
      flush();
      parts.push(parsePlaceholder(inner, end >= 0));
      i = end;
    } else {
      literal += c;
    }
  }
  flush();
  refuse(parts);
  return parts;
}

function parsePlaceholder(inner: string, closed: boolean): TemplatePart {
  if (!closed) throw new TemplateError('a "{" without its "}"; a literal brace is written "{{"');
  if (inner === '*') return { any: true };
  const [, name, digits] = placeholder.exec(inner) ?? [];
  if (!name) throw new TemplateError(`"{${inner}}" is no placeholder; write {name}, {name:int} or {*}, and "{{" for a literal brace`);
  return digits ? { digits: name } : { capture: name };
}

function refuse(parts: TemplatePart[]): void {
  if (!parts.some((part) => 'literal' in part)) throw new TemplateError('the template has no literal text');
  const names = new Set<string>();
  for (const [i, part] of parts.entries()) {
    const before = parts[i - 1];
    const name = nameOf(part);
    if (name !== undefined && names.has(name)) throw new TemplateError(`{${name}} stands twice; keep one and write {*} for the other`);
    if (name !== undefined) names.add(name);
    const next = parts[i + 1];
    if ('digits' in part && !(before && 'literal' in before) && !(next && 'literal' in next))
      throw new TemplateError(`{${part.digits}:int} needs literal text beside it`);
    if (!before) continue;
    if ('literal' in part) {
      if ('digits' in before && /^\s*\d/.test(part.literal)) throw new TemplateError(`digits cannot follow {${before.digits}:int}`);
    } else if (!('literal' in before) && !digitsBesideAny(before, part, i)) {
      throw new TemplateError('two placeholders side by side; put literal text between them, or make them one');
    }
  }
}

/** Digits end by themselves, so text of any kind may follow them; before them only a leading `{*}` may stand. */
function digitsBesideAny(before: TemplatePart, part: TemplatePart, index: number): boolean {
  if ('digits' in before) return !('digits' in part);
  return 'digits' in part && 'any' in before && index === 1;
}

function nameOf(part: TemplatePart): string | undefined {
  return 'capture' in part ? part.capture : 'digits' in part ? part.digits : undefined;
}

/** The names that a template captures. */
export function namesInTemplate(parts: TemplatePart[]): string[] {
  return parts.map(nameOf).filter((name) => name !== undefined);
}
