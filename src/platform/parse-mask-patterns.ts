import { RE2JS, RE2JSSyntaxException } from 're2js';

/** A file of patterns to mask is wrong: the message names the place. */
export class MaskPatternError extends Error {
  override readonly name = 'MaskPatternError';
  readonly code = 'MASK_PATTERNS';
}

const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 1000;
/** Largest file, in characters. */
const LONGEST = 65_536;

/**
 * Reads patterns, one a line in the syntax of RE2, which takes time in proportion to the text whatever the pattern. Empty lines and lines that begin with # are left out.
 *
 * @throws MaskPatternError with file, line and column
 */
export function parseMaskPatterns(text: string, file: string): RE2JS[] {
  const refuse = (line: number, column: number, message: string): never => {
    throw new MaskPatternError(`${file}:${line}:${column}: ${message}`);
  };
  if (text.length > LONGEST) refuse(1, 1, `the file has ${text.length} characters; at most ${LONGEST} are read`);
  const patterns: RE2JS[] = [];
  for (const [i, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const column = raw.indexOf(line) + 1;
    if (patterns.length === MOST_PATTERNS) refuse(i + 1, column, `one pattern too many; at most ${MOST_PATTERNS} are taken`);
    if (line.length > LONGEST_PATTERN)
      refuse(i + 1, column, `the pattern has ${line.length} characters; at most ${LONGEST_PATTERN} are taken`);
    patterns.push(compile(line, (offset, message) => refuse(i + 1, column + offset, message)));
  }
  return patterns;
}

function compile(source: string, refuse: (offset: number, message: string) => never): RE2JS {
  let pattern: RE2JS;
  try {
    pattern = RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const wrong = error.getPattern();
    return refuse(Math.max(0, wrong ? source.lastIndexOf(wrong) : 0), `${error.getDescription()}${wrong ? `: ${wrong}` : ''}`);
  }
  if (pattern.matcher('').find()) return refuse(0, `the pattern ${source} matches the empty text, so it would mask nothing`);
  return pattern;
}
