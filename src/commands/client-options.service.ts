import { UsageError } from './command-error.js';

/** The words of a command line that say where the service is and who asks. */
export interface ClientWords {
  url?: string | undefined;
  'token-file'?: string | undefined;
}

/** Reads the token file of a command line; "-" is standard input. Throws UsageError when it cannot be read or is empty. */
export function clientOptions(
  { url, 'token-file': file }: ClientWords,
  readText: (file: string | 0) => string,
): { url: string | undefined; token: string | undefined } {
  if (file === undefined) return { url, token: undefined };
  let token: string;
  try {
    token = readText(file === '-' ? 0 : file).trim();
  } catch (error) {
    throw new UsageError(`--token-file: ${(error as Error).message}`);
  }
  if (token === '') throw new UsageError(`--token-file: ${file} is empty`);
  return { url, token };
}

/** Tells why a command failed. Returns its exit status: 1 refused, 2 the command line is wrong, 3 no service, 70 a mistake of our own. */
export function tellCommandFailure(command: string, error: unknown): number {
  const { exitCode, code, message, name, stack } = error as Error & { exitCode?: number; code?: string };
  const words = name === 'ClientConfigError' || code?.startsWith('ERR_PARSE_ARGS');
  const expected = exitCode ?? (words ? 2 : undefined);
  const word = exitCode === 1 && code !== undefined ? ` (${code})` : '';
  process.stderr.write(`${command}: ${expected === undefined ? (stack ?? message) : `${message}${word}`}\n`);
  return expected ?? 70;
}
