import { originalBetween, type SqueezedText } from './squeeze-text.js';

const maximum = 512;

/**
 * What a placeholder took, as the sender wrote it: a word that a line break runs through is whole again, escaped quotes
 * are quotes, and quotes around the whole are gone.
 */
export function originalCapture(text: SqueezedText, from: number, to: number): string {
  let taken = originalBetween(text, from, to);
  if (taken.includes('\\'))
    taken = taken
      .replaceAll(/\\+(["'`])/g, '$1')
      .replaceAll(/\\+[nrt]/g, '\n')
      .replace(/\\+$/, '');
  if (taken.includes('\n') || taken.includes('\r')) {
    const oneWord = !/[^\S\r\n]/.test(taken.replaceAll(/\s*[\r\n]\s*/g, '\n').trim());
    taken = taken.replaceAll(/\s*[\r\n]\s*/g, oneWord ? '' : ' ');
  }
  taken = unquote(taken.trim());
  return taken.length > maximum ? `${taken.slice(0, maximum).toWellFormed()}…` : taken;
}

function unquote(text: string): string {
  const quote = text[0];
  const quoted =
    text.length > 2 &&
    (quote === '"' || quote === "'" || quote === '`') &&
    text.endsWith(quote) &&
    text.indexOf(quote, 1) === text.length - 1;
  return quoted ? text.slice(1, -1) : text;
}
