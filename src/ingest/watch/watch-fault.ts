import { redactSecrets } from '../../platform/redact-secrets.js';
import type { FaultCode } from './followed-cluster.js';

/** Why a request to an API server failed, sorted by what is to be done about it. */
export class WatchFault extends Error {
  override readonly name = 'WatchFault';

  /**
   * @param message one sentence for the operator
   * @param retryAfterMs how long the server asked to be left alone
   */
  constructor(
    readonly code: FaultCode,
    message: string,
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    // PostgreSQL takes no NUL, and one report that it does not take would cost this replica the leases of all its watches.
    super(
      redactSecrets(message)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .slice(0, 400)
        .toWellFormed(),
      options,
    );
  }
}

/** What of a Kubernetes Status object is looked at. */
interface Status {
  message?: unknown;
  reason?: unknown;
  code?: unknown;
  details?: { name?: unknown; retryAfterSeconds?: unknown; causes?: unknown };
  metadata?: { continue?: unknown };
}

/** An answer that was no success, or the object of an ERROR event of a watch, which has no headers. */
export interface Refused {
  /** HTTP status, or the code of the ERROR event. */
  status: number;
  /** The body, parsed if it was JSON. */
  body: unknown;
  /** The header Retry-After, if any. */
  retryAfter?: string | undefined;
  /** What was asked for, as in `list of Events`. */
  asked: string;
}

/** Says what a refusal means. A watch that is too old is told in three ways, depending on the server's version. */
export function faultOfAnswer({ status, body, retryAfter, asked }: Refused): WatchFault {
  const said = asStatus(body);
  const message = typeof said.message === 'string' && said.message !== '' ? said.message : `no more was said`;
  const fault = (code: FaultCode): WatchFault =>
    new WatchFault(code, `The API server answered ${status} to the ${asked}: ${message}`, retryAfterMs(retryAfter, said));
  if (status === 410 || isTooNew(said)) return fault('EXPIRED');
  if (status === 401) return fault('UNAUTHORIZED');
  if (status === 403) return fault('FORBIDDEN');
  if (status === 429) return fault('THROTTLED');
  return fault(status >= 500 ? 'SERVER_ERROR' : 'UNEXPECTED_ANSWER');
}

/** The page token that a server offers in place of an expired one, to go on with what is left in its present state. */
export function freshPageToken(body: unknown): string | undefined {
  const token = asStatus(body).metadata?.continue;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** True when the server says of the very object that it does not exist; not when it does not know the kind, nor for a proxy's 404. */
export function saysObjectIsGone(status: number, body: unknown, name: string): boolean {
  const { reason, details } = asStatus(body);
  return status === 404 && reason === 'NotFound' && details?.name === name;
}

/** A server that lost its state knows less than we do. */
function isTooNew({ details, message }: Status): boolean {
  const causes: unknown[] = Array.isArray(details?.causes) ? details.causes : [];
  return (
    causes.some((cause) => (cause as { reason?: unknown } | null)?.reason === 'ResourceVersionTooLarge') ||
    (typeof message === 'string' && message.startsWith('Too large resource version'))
  );
}

function asStatus(body: unknown): Status {
  return typeof body === 'object' && body !== null ? (body as Status) : {};
}

/** Retry-After is in seconds; a date is not used by API servers. */
function retryAfterMs(header: string | undefined, { details }: Status): number | undefined {
  const seconds = Number(header ?? details?.retryAfterSeconds);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

const TLS = /^(ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECRYPT)|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Says what it means that a connection could not be made or broke. */
export function faultOfConnection(error: unknown, asked: string): WatchFault {
  if (error instanceof WatchFault) return error;
  const { code: word, message } = describe(error);
  const said = `The ${asked} failed: ${message}${word === '' || message.includes(word) ? '' : ` (${word})`}`;
  if (word === 'UND_ERR_HEADERS_TIMEOUT' || word === 'UND_ERR_BODY_TIMEOUT')
    return new WatchFault('SILENT', said, undefined, { cause: error });
  return new WatchFault(TLS.test(word) ? 'TLS' : 'NETWORK', said, undefined, { cause: error });
}

/** The first error of a chain that has a code; Node wraps what several addresses said. */
function describe(error: unknown): { code: string; message: string } {
  let told = { code: '', message: error instanceof Error ? error.message : String(error) };
  for (let next: unknown = error, depth = 0; next instanceof Error && depth < 5; depth++) {
    const { code } = next as { code?: unknown };
    if (typeof code === 'string') told = { code, message: next.message || told.message };
    if (typeof code === 'string' && !code.startsWith('UND_ERR')) break;
    next = next instanceof AggregateError ? next.errors[0] : next.cause;
  }
  return told;
}
