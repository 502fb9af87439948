/** The command line was not understood; the message says what was expected. */
export class UsageError extends Error {
  readonly exitCode = 2;
}
