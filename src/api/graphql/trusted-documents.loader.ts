import { readFile } from 'node:fs/promises';
import type { TrustedDocuments } from './trusted-documents.js';
import { parseTrustedDocuments, TrustedDocumentsError } from './trusted-documents.js';

/**
 * Reads the operator's list of trusted documents; none without a file.
 *
 * @throws TrustedDocumentsError when it cannot be read, or is wrong
 */
export async function loadTrustedDocuments(file: string | undefined): Promise<TrustedDocuments> {
  if (file === undefined) return new Map();
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw Object.assign(
      new TrustedDocumentsError(`CASEBOOK_TRUSTED_DOCUMENTS: cannot read ${file} (${(error as NodeJS.ErrnoException).code})`),
      { cause: error },
    );
  }
  return parseTrustedDocuments(text, file);
}
