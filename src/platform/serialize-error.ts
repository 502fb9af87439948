/**
 * Properties of errors that say what happened, and to which table or address. Others hold data: a `detail` of PostgreSQL quotes the row, its
 * `where` the JSON that it read, and errors of HTTP clients carry the request with its headers.
 */
const KEPT = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'status',
  'statusCode',
  'syscall',
  'address',
  'port',
];
const DEEPEST = 4;
const MOST_TEXT = 8_000;

/** What the log keeps of an error. */
export interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
  [kept: string]: unknown;
}

/** Takes from an error what the log may have, with the errors that caused it. */
export function serializeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: typeof error === 'string' ? error.slice(0, MOST_TEXT) : 'no error was thrown' };
  const { name, message, stack, cause, errors } = error as Error & { errors?: unknown };
  const kept = Object.fromEntries(
    KEPT.map((field) => [field, (error as unknown as Record<string, unknown>)[field]]).filter(([, value]) =>
      /^(string|number)$/.test(typeof value),
    ),
  );
  const further = depth < DEEPEST;
  return {
    type: error.constructor?.name ?? name,
    message: String(message).slice(0, MOST_TEXT),
    ...(typeof stack === 'string' && { stack: stack.slice(0, MOST_TEXT) }),
    ...kept,
    ...(further && cause instanceof Error && { cause: serializeError(cause, depth + 1) }),
    ...(further && Array.isArray(errors) && { errors: errors.slice(0, DEEPEST).map((each) => serializeError(each, depth + 1)) }),
  };
}
