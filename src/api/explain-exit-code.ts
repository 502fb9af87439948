import { findExitCode } from '../knowledge/find-in-reference.js';
import type { ExitCode, ExitCodeRange, ExitCodesFile, Signal } from '../knowledge/reference-file.js';
import { foldExitCode } from '../matching/extract-exit-codes.js';

/** What an exit code means, and how it came to be the one that is shown. */
export interface ExplainedExitCode {
  /** As it was asked for. */
  given: number;
  /** As it arrives, 0-255. */
  code: number;
  entry: ExitCode | ExitCodeRange;
  /** Signal that ended the program, on x86 and Arm. */
  signal: Signal | undefined;
  folding: { en: string; zh: string } | undefined;
}

/** Folds a code to 0-255 and says what it means; undefined when the table is empty. */
export function explainExitCode(table: ExitCodesFile, given: number): ExplainedExitCode | undefined {
  const code = foldExitCode(given);
  const entry = findExitCode(table, code);
  if (!entry) return undefined;
  const named = 'signal' in entry ? entry.signal : undefined;
  const signal = table.signals.find(({ name, number }) =>
    named === undefined ? entry.origin === 'signal' && number === code - 128 : name === named,
  );
  return { given, code, entry, signal, folding: table.folding?.text };
}
