/** What a caller of either API is told went wrong. */
export type RefusalCode =
  | 'BAD_INPUT'
  | 'BAD_CURSOR'
  | 'CURSOR_EXPIRED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'TOO_LARGE'
  | 'UNSUPPORTED_ENCODING'
  | 'TIMEOUT'
  | 'BUSY'
  | 'INTERNAL';

/** An answer to a request that could not be fulfilled. */
export interface Refusal {
  code: RefusalCode;
  /** HTTP status. */
  status: number;
  /** One sentence for the caller; never a stack, SQL or a secret. */
  message: string;
  /** Whole seconds after which the same request may succeed. */
  retryAfter?: number;
}

/** A request that is refused by a door itself, before any domain code is asked. */
export class RequestError extends Error {
  constructor(
    readonly code: Exclude<RefusalCode, 'BUSY' | 'INTERNAL'>,
    message: string,
  ) {
    super(message);
  }
}

const STATUS: Record<RefusalCode, number> = {
  BAD_INPUT: 400,
  BAD_CURSOR: 400,
  CURSOR_EXPIRED: 410,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_LARGE: 413,
  UNSUPPORTED_ENCODING: 415,
  TIMEOUT: 504,
  BUSY: 503,
  INTERNAL: 500,
};

/** Every code that an error of the domain can carry, and what the caller is told. */
const DOMAIN: Record<string, RefusalCode> = {
  EMPTY_BODY: 'BAD_INPUT',
  NOT_UTF8: 'BAD_INPUT',
  NOT_JSON: 'BAD_INPUT',
  NOT_PROTOBUF: 'BAD_INPUT',
  UNKNOWN_SHAPE: 'BAD_INPUT',
  TOO_MANY_ELEMENTS: 'TOO_LARGE',
  CURSOR_EXPIRED: 'CURSOR_EXPIRED',
  CELLS_DROPPED: 'BAD_INPUT',
  CLUSTER_EXISTS: 'CONFLICT',
  CLUSTER_GONE: 'NOT_FOUND',
  CLUSTER_UNKNOWN: 'NOT_FOUND',
  CLUSTER_REMOVING: 'CONFLICT',
  INCIDENT_UNKNOWN: 'NOT_FOUND',
  INCIDENT_CONFLICT: 'CONFLICT',
  SILENCING_UNKNOWN: 'NOT_FOUND',
  SILENCING_CONFLICT: 'CONFLICT',
  CREDENTIAL_UNKNOWN: 'NOT_FOUND',
  CREDENTIAL_CONFLICT: 'CONFLICT',
  API_TOKEN_UNKNOWN: 'NOT_FOUND',
  API_TOKEN_CONFLICT: 'CONFLICT',
  NO_SECRET_KEY: 'CONFLICT',
  WATCH_CONFIGURED: 'CONFLICT',
  SECRET_UNREADABLE: 'BUSY',
  WEBHOOK_UNKNOWN: 'NOT_FOUND',
  WEBHOOK_CONFLICT: 'CONFLICT',
  TARGET_REFUSED: 'BAD_INPUT',
  ISSUER_UNAVAILABLE: 'BUSY',
  READ_TIMEOUT: 'TIMEOUT',
  READS_BUSY: 'BUSY',
  BUSY: 'BUSY',
  DATABASE_UNAVAILABLE: 'BUSY',
};

const INTERNAL: Refusal = {
  code: 'INTERNAL',
  status: 500,
  message: 'Something went wrong inside Casebook; the log tells more under this request id.',
};

/** Retry-After when the error names no time of its own, in seconds. */
const RETRY_AFTER = 5;

/** The one place that says what a caller is told of an error. An unknown error is INTERNAL and tells nothing. */
export function refusalOf(error: unknown): Refusal {
  if (!(error instanceof Error)) return INTERNAL;
  const { code, message, retryAfterSeconds } = error as { code?: string; message: string; retryAfterSeconds?: number };
  if (error instanceof RequestError) return { code: error.code, status: STATUS[error.code], message: error.message };
  const known = code !== undefined && Object.hasOwn(DOMAIN, code) ? DOMAIN[code]! : undefined;
  if (known === 'BUSY') {
    const said = code === 'DATABASE_UNAVAILABLE' ? 'the database does not answer' : message;
    return { code: 'BUSY', status: STATUS.BUSY, message: `Come back later: ${said}.`, retryAfter: retryAfterSeconds ?? RETRY_AFTER };
  }
  if (known) return { code: known, status: STATUS[known], message: message ?? '' };
  return (
    refusalOfHttp(error) ?? {
      code: 'INTERNAL',
      status: 500,
      message: 'Something went wrong inside Casebook; the log tells more under this request id.',
    }
  );
}

const BY_STATUS: Record<number, RefusalCode> = {
  400: 'BAD_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_ENCODING',
  503: 'BUSY',
};

/** Senders put secrets into query strings, and write the answers that they get into their logs. */
const QUERY = /\?[^\s']*/g;

/** Errors of the HTTP server and of Nest carry a status: a body that is too large, a route that does not exist. */
function refusalOfHttp(error: Error): Refusal | undefined {
  const { statusCode, status } = error as { statusCode?: unknown; status?: unknown };
  const said = typeof statusCode === 'number' ? statusCode : typeof status === 'number' ? status : 500;
  if (said < 400 || said >= 500) return undefined;
  return { code: BY_STATUS[said] ?? 'BAD_INPUT', status: said, message: error.message.replaceAll(QUERY, '') };
}
