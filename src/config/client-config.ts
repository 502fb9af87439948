import { isLoopback } from './is-loopback.js';

/** How the command line reaches the service. */
export interface ClientConfig {
  /** Address of the service, without a slash at its end. */
  url: string;
  /** Token to send; undefined for none. */
  token: string | undefined;
  /** What is worth a word before anything is sent. */
  warning: string | undefined;
}

/** Where the service listens unless told otherwise. */
export const DEFAULT_URL = 'http://127.0.0.1:4000';

/** How the service is to be reached was said wrong; the message says where and what was expected. */
export class ClientConfigError extends Error {
  override readonly name = 'ClientConfigError';
}

/**
 * Puts together where the service is and with which token it is asked: options go before `CASEBOOK_URL` and `CASEBOOK_TOKEN`. An empty
 * value counts as unset.
 *
 * @throws ClientConfigError that never quotes a token
 */
export function parseClientConfig(
  env: Record<string, string | undefined>,
  options: { url?: string | undefined; token?: string | undefined },
): ClientConfig {
  const [from, said] = options.url ? ['--url', options.url] : ['CASEBOOK_URL', env['CASEBOOK_URL'] || DEFAULT_URL];
  if (!URL.canParse(said!) || !/^https?:$/.test(new URL(said!).protocol)) {
    throw new ClientConfigError(`${from}: expected an address such as ${DEFAULT_URL}`);
  }
  const url = new URL(said!);
  if (url.username || url.password) throw new ClientConfigError(`${from}: expected no user or password in it; the token says who you are`);
  const token = (options.token ?? env['CASEBOOK_TOKEN'])?.trim() || undefined;
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new ClientConfigError('the token holds spaces or other characters that no token has');
  const open = token !== undefined && url.protocol === 'http:' && !isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  return {
    url: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    token,
    warning: open ? `the token goes to ${url.host} without encryption; use https where others can listen` : undefined,
  };
}
