import { lookup as resolveHost } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import type { AllowedTargets } from './judge-address.js';
import { isAddress, refuseAddress, refusePlainHttp } from './judge-address.js';
import type { SignedRequest } from './sign-request.service.js';

/** What came back. */
export interface PostAnswer {
  status: number;
  retryAfter: string | undefined;
  /** Its beginning. */
  body: string;
}

/** A target that nothing may be sent to. */
export class TargetRefusedError extends Error {
  readonly code = 'TARGET_REFUSED';
}

/** Finds all addresses of a host. */
export type Resolve = (host: string, found: (error: Error | null, addresses: LookupAddress[]) => void) => void;

/** What a poster is told. */
export interface PostOptions {
  allowed: AllowedTargets;
  /** For all of a request, from the connection to the end of the answer, milliseconds. */
  timeout: number;
  /** By default that of the system. */
  resolve?: Resolve;
  /** Certificates in PEM to trust beside those of the system; for tests. */
  trust?: string;
}

const SYSTEM: Resolve = (host, found) => resolveHost(host, { all: true, verbatim: true }, found);
/** How much of an answer is read, bytes. */
const MOST_READ = 4096;
const CONNECTIONS = 4;

/**
 * Posts to targets that may be reached. The address is judged when the connection is made, and that very address is connected to: a name
 * that means something else a moment later gains nothing. Redirects are not followed, and an environment's proxy is not used.
 */
export class HttpPoster {
  readonly #agent: Agent;
  readonly #timeout: number;

  constructor({ allowed, timeout, resolve = SYSTEM, trust }: PostOptions) {
    this.#timeout = timeout;
    const lookupFor =
      (secure: boolean): LookupFunction =>
      (host, { all }, found) =>
        resolve(host, (error, addresses) => {
          if (error) return found(error, []);
          const refused = addresses.map(({ address }) => refuse(host, address, secure, allowed)).find((why) => why !== undefined);
          // One bad address spoils all: which one would be taken is not ours to say.
          if (refused !== undefined) return found(new TargetRefusedError(refused), []);
          if (addresses.length === 0) return found(new Error('the name has no address'), []);
          // One is asked for where connections do not try several at once (--no-network-family-autoselection).
          if (all) found(null, addresses);
          else found(null, addresses[0]!.address, addresses[0]!.family);
        });
    const limits = { timeout, allowH2: false, ...(trust !== undefined && { ca: trust }) };
    const connectors = {
      secure: buildConnector({ ...limits, lookup: lookupFor(true) }),
      plain: buildConnector({ ...limits, lookup: lookupFor(false) }),
    };
    this.#agent = new Agent({
      connections: CONNECTIONS,
      pipelining: 1,
      // A connection that is kept has been judged; it is not kept for long, because what is allowed is judged by the name at that time.
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 10_000,
      maxHeaderSize: 16_384,
      connect: (options, done) => {
        const secure = options.protocol === 'https:';
        // Addresses are connected to without being looked up.
        const refused = isAddress(options.hostname) ? refuse(options.hostname, options.hostname, secure, allowed) : undefined;
        if (refused !== undefined) return done(new TargetRefusedError(refused), null);
        (secure ? connectors.secure : connectors.plain)(options, done);
      },
    });
  }

  /**
   * Posts a request and reads the beginning of the answer.
   *
   * @throws TargetRefusedError when the target may not be reached; an Error of the connection when there is no answer
   */
  async post({ url, headers, body }: SignedRequest): Promise<PostAnswer> {
    const signal = AbortSignal.timeout(this.#timeout);
    const {
      statusCode,
      headers: answered,
      body: answer,
    } = await request(url, {
      method: 'POST',
      dispatcher: this.#agent,
      headers,
      body,
      signal,
      headersTimeout: this.#timeout,
      bodyTimeout: this.#timeout,
    });
    const after = answered['retry-after'];
    return { status: statusCode, retryAfter: Array.isArray(after) ? after[0] : after, body: await readBeginning(answer) };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

function refuse(host: string, address: string, secure: boolean, allowed: AllowedTargets): string | undefined {
  return refuseAddress(host, address, allowed) ?? (secure ? undefined : refusePlainHttp(host, address, allowed));
}

/** The status has come by then: whatever goes wrong with the rest of the answer changes nothing. */
async function readBeginning(answer: AsyncIterable<Uint8Array> & { destroy(): void }): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const part of answer) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MOST_READ) break;
    }
  } catch (error) {
    parts.push(Buffer.from(` [the rest could not be read: ${(error as Error).name}]`));
  }
  answer.destroy();
  return Buffer.concat(parts).subarray(0, MOST_READ).toString('utf8');
}
