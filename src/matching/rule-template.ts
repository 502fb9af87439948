import { compileTemplate } from './compile-template.js';
import { matchTemplate } from './match-template.js';
import { normaliseMessage } from './normalise-message.js';
import { squeezeText } from './squeeze-text.js';

/** Placeholders with nothing but white space and quotes between them are one: where each ends could not be told. */
const SIDE_BY_SIDE = /(?:\{(?:\*|[a-z]+)\}\s*){2,}/g;
const PLACEHOLDER = /\{(\*|[a-z]+)\}/g;
/** A doubled brace is a literal one. */
const LITERAL_BRACES = /\{\{|\}\}/g;

/**
 * Turns the template of a pattern into one for a rule of knowledge, which has to name each placeholder once. Undefined when nothing
 * literal is left, or when a message that it was made of does not contain it.
 */
export function ruleTemplate(template: string, messages: readonly string[]): string | undefined {
  const seen = new Map<string, number>();
  const text = template
    .replace(LITERAL_BRACES, (brace) => (brace === '{{' ? '\u0001' : '\u0002'))
    .replace(SIDE_BY_SIDE, (run) => (/\s$/.test(run) ? '{*} ' : '{*}'))
    .replace(PLACEHOLDER, (whole, name: string) => {
      if (name === '*') return whole;
      // A problem's own texts know {name} as the object's.
      const said = name === 'name' ? 'object' : name;
      const count = (seen.get(said) ?? 0) + 1;
      seen.set(said, count);
      return count === 1 ? `{${said}}` : `{${said}${count}}`;
    })
    .replaceAll('\u0001', '{{')
    .replaceAll('\u0002', '}}');
  try {
    const compiled = compileTemplate(text);
    const fits = messages.every((message) => matchTemplate(compiled, squeezeText(normaliseMessage(message))) !== undefined);
    return fits ? text : undefined;
  } catch {
    // No literal text is left, or a placeholder stands where knowledge allows none.
    return undefined;
  }
}
