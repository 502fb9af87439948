import { readFile } from 'node:fs/promises';
import type { RE2JS } from 're2js';
import { MaskPatternError, parseMaskPatterns } from './parse-mask-patterns.js';

/**
 * Reads the file of the user's own patterns to mask; none without a file.
 *
 * @throws MaskPatternError when it cannot be read, or a pattern is wrong
 */
export async function loadMaskPatterns(file: string | undefined): Promise<RE2JS[]> {
  if (file === undefined) return [];
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw Object.assign(new MaskPatternError(`CASEBOOK_MASK_PATTERNS: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`), {
      cause: error,
    });
  }
  return parseMaskPatterns(text, file);
}
