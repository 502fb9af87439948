import type { ClientConfig } from '../config/client-config.js';

/** The service refused what a command asked for, or could not be asked. */
export class AskError extends Error {
  /**
   * @param exitCode 1 when the service refused, 3 when it could not be reached or is something else
   * @param code the service's word for why, such as NOT_FOUND
   */
  constructor(
    readonly exitCode: 1 | 3,
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 30_000;

interface Body {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** Asks the service over GraphQL. Throws AskError unless all went well. */
export async function askService<T>({ url, token }: ClientConfig, query: string, variables: object = {}): Promise<T> {
  const body = await post(`${url}/graphql`, token, JSON.stringify({ query, variables }));
  const [refused] = body.errors ?? [];
  if (refused) {
    const { code } = refused.extensions ?? {};
    const hint = code === 'UNAUTHENTICATED' ? ' Set CASEBOOK_TOKEN, or name a file with --token-file.' : '';
    throw new AskError(1, `${refused.message}${hint}`, code);
  }
  return body.data as T;
}

async function post(address: string, token: string | undefined, body: string): Promise<Body> {
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
    text = await answer.text();
  } catch (error) {
    throw new AskError(3, `${address} cannot be reached: ${reasonOf(error)}`);
  }
  try {
    const parsed = JSON.parse(text) as Body;
    if (parsed.errors?.length || parsed.data) return parsed;
  } catch {
    // Whatever it is, it is told below.
  }
  const where = answer.headers.get('location');
  throw new AskError(
    3,
    `${address} does not answer as Casebook does: status ${answer.status}${where === null ? '' : `, which leads to ${where}`}`,
  );
}

function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: { code?: string; message?: string } };
  return name === 'TimeoutError' ? `no answer within ${TIMEOUT_MS / 1000} seconds` : cause?.message || cause?.code || message;
}
