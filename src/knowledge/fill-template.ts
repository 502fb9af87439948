const slot = /(?<![${%])\{([A-Za-z][A-Za-z0-9_]*)\}/g;

/** Closes a loop in a kubectl JSONPath, so it is never a placeholder. */
const jsonPathEnd = 'end';

/**
 * Puts captured values into a text or command of a problem. A placeholder without a value is shown as `<name>`, so that
 * a reader sees what to put there. Braces of JSONPath, Go templates and shell variables stay as they are.
 */
export function fillTemplate(text: string, captured: Readonly<Record<string, string>>): string {
  if (!text.includes('{')) return text;
  return text.replace(slot, (whole, name: string) => {
    if (name === jsonPathEnd) return whole;
    const value = Object.hasOwn(captured, name) ? captured[name] : undefined;
    return value === undefined || value === '' ? `<${name}>` : value;
  });
}
