import type { KubeConfig } from '@kubernetes/client-node';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { within } from '../../platform/within.service.js';
import { faultOfConnection, WatchFault } from './watch-fault.js';

/** Largest answer that is read as a whole, in bytes: a page of Events is far below. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
/** What is read of a refusal, in bytes. */
const LARGEST_REFUSAL = 64 * 1024;
/** How much of a watch is read ahead while a batch is being stored, in bytes. */
const READ_AHEAD = 512 * 1024;

/** What to ask an API server for. */
export interface ApiQuestion {
  /** Path below the server, with its query. */
  path: string;
  /** In words, as in `list of Events`, for messages. */
  asked: string;
  signal: AbortSignal;
  /** Media type of the answer; JSON by default. */
  accept?: string;
}

/** The beginning of an answer. */
export interface ApiAnswer {
  status: number;
  contentType: string;
  retryAfter: string | undefined;
  body: Dispatcher.ResponseData['body'];
}

/** An answer was larger than is read as a whole. */
export class AnswerTooLargeError extends Error {}

/**
 * The connection to one API server with the credentials, certificates and proxy of a KubeConfig. The KubeConfig makes a
 * dispatcher, and with it a new TLS connection, for every request; here one is kept until something goes wrong.
 */
export class ApiConnection {
  #config: KubeConfig | undefined;
  #dispatcher: Dispatcher | undefined;

  /**
   * @param connect makes a fresh KubeConfig
   * @param answerMs how long an answer may take to begin, and a whole one to end, milliseconds
   */
  constructor(
    private readonly connect: () => Promise<KubeConfig>,
    private readonly answerMs: number,
  ) {}

  /** True while a KubeConfig is at hand. */
  get isOpen(): boolean {
    return this.#config !== undefined;
  }

  /**
   * Asks and resolves when the answer begins, whatever its status. The body has to be read or destroyed.
   *
   * @throws WatchFault when there is no answer
   */
  async open({ path, asked, signal, accept = 'application/json' }: ApiQuestion): Promise<ApiAnswer> {
    const { url, headers, dispatcher } = await this.#prepare(path);
    try {
      const {
        statusCode,
        headers: told,
        body,
      } = await dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: 'GET',
        headers: { ...headers, accept },
        signal,
        headersTimeout: this.answerMs,
        bodyTimeout: 0,
        highWaterMark: READ_AHEAD,
      });
      // A body that is destroyed, by us or by a broken connection, says so by an event that nobody may be waiting for.
      body.on('error', () => undefined);
      return { status: statusCode, contentType: one(told['content-type']) ?? '', retryAfter: one(told['retry-after']), body };
    } catch (error) {
      throw faultOfConnection(error, asked);
    }
  }

  /**
   * Asks and reads the whole answer; the body is parsed if it is JSON.
   *
   * @throws WatchFault when there is no answer or it takes too long
   * @throws AnswerTooLargeError
   */
  async ask(question: ApiQuestion): Promise<Omit<ApiAnswer, 'body'> & { body: unknown }> {
    const answer = await this.open(question);
    return { ...answer, body: await this.read(answer, question.asked) };
  }

  /** Reads the rest of an answer as `ask` does. */
  async read({ status, body, contentType }: ApiAnswer, asked: string): Promise<unknown> {
    const late = setTimeout(() => body.destroy(silent(asked, this.answerMs)), this.answerMs);
    const limit = status === 200 ? LARGEST_ANSWER : LARGEST_REFUSAL;
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        size += chunk.length;
        if (size > limit) throw new AnswerTooLargeError(`The answer to the ${asked} is larger than ${limit} bytes`);
        chunks.push(chunk);
      }
    } catch (error) {
      throw error instanceof AnswerTooLargeError ? error : faultOfConnection(error, asked);
    } finally {
      clearTimeout(late);
      body.destroy();
    }
    const text = Buffer.concat(chunks).toString('utf8');
    return contentType.includes('json') ? parsed(text, asked, status) : text;
  }

  /** Drops the sockets, which may be dead without knowing it, and the KubeConfig too if its credentials are in doubt. */
  async renew(withCredentials: boolean): Promise<void> {
    const dispatcher = this.#dispatcher;
    this.#dispatcher = undefined;
    if (withCredentials) this.#config = undefined;
    await dispatcher?.destroy();
  }

  async #prepare(path: string): Promise<{ url: URL; headers: Record<string, string>; dispatcher: Dispatcher }> {
    const { RequestContext, HttpMethod } = await import('@kubernetes/client-node');
    try {
      const config = (this.#config ??= await this.connect());
      const server = config.getCurrentCluster()?.server;
      if (!server) throw new Error('the kubeconfig names no server in its current context');
      const url = new URL(server.replace(/\/+$/, '') + path);
      const context = new RequestContext(url.href, HttpMethod.GET);
      // An exec plug-in may hang; nothing else ends it.
      await within(
        config.applySecurityAuthentication(context),
        this.answerMs,
        `it took longer than ${Math.round(this.answerMs / 1000)} s to get credentials`,
      );
      this.#dispatcher ??= context.getDispatcher() ?? new Agent({ connect: { keepAlive: true, keepAliveInitialDelay: 30_000 } });
      return { url, headers: context.getHeaders(), dispatcher: this.#dispatcher };
    } catch (error) {
      if (error instanceof WatchFault) throw error;
      const said = error instanceof Error ? error.message : String(error);
      throw new WatchFault('CREDENTIALS', `The kubeconfig cannot be used: ${said}`, undefined, { cause: error });
    }
  }
}

/**
 * The chunks of a body that goes on for long. Nothing is read while one is being worked on, and the socket fills up; what has
 * arrived meanwhile comes as one chunk.
 *
 * @throws WatchFault SILENT when nothing comes for `idleMs`
 */
export async function* chunksOf(body: ApiAnswer['body'], idleMs: number, asked: string): AsyncGenerator<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const timer = setTimeout(() => body.destroy(silent(asked, idleMs)), idleMs);
      const next = await iterator.next().finally(() => clearTimeout(timer));
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw faultOfConnection(error, asked);
  } finally {
    body.destroy();
  }
}

function silent(asked: string, ms: number): WatchFault {
  return new WatchFault('SILENT', `The ${asked} was silent for ${Math.round(ms / 100) / 10} s`);
}

function parsed(text: string, asked: string, status: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WatchFault('UNEXPECTED_ANSWER', `The API server answered ${status} to the ${asked} with broken JSON`, undefined, {
      cause: error,
    });
  }
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
