import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as httpsRequest } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { KubeConfig } from '@kubernetes/client-node';
import type { ApiServerUnderTest } from './api-server-under-test.js';
import { bodyOf, forbidden, notFound, sendFailure, sendJson } from './fake-api-answers.js';
import type { Failure } from './fake-api-answers.js';
import { answerList } from './fake-api-list.js';
import { metadataOnly, routeOf, shown, stored } from './fake-api-resources.js';
import type { ApiRoute } from './fake-api-resources.js';
import { FakeApiStore } from './fake-api-store.js';
import type { ApiObject } from './fake-api-store.js';
import { FakeWatch } from './fake-api-watch.js';
import { makeAuthority } from './make-certificates.js';

/** What happens to a request in place of an answer. */
export type Fault =
  | Failure
  /** The connection is reset. */
  | 'reset'
  /** Nothing happens, for ever. */
  | 'hang'
  /** The beginning of an answer, and then the connection is reset. */
  | 'cut';

type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'delete';

const ADMIN = 'admin-of-this-test-only';
const METADATA = /as=PartialObjectMetadata\b/;

/**
 * An API server that speaks list and watch over HTTPS as a real one does, resource versions and their expiry included, and that can be
 * told to misbehave in every way that was seen of real ones and of what stands before them.
 */
export class FakeApiServer implements ApiServerUnderTest {
  store = new FakeApiStore();
  /** Users by their bearer token; change it to rotate. */
  tokens = new Map<string, string>([['watcher-token-1', 'system:serviceaccount:casebook:casebook']]);
  /** What the users may not do, as `verb resource`, such as `list events.events.k8s.io` or `get pods`. */
  readonly denied = new Set<string>();
  /** How a watch from an expired resource version is refused: servers do either. */
  expiredAs: 'event' | 'status' = 'event';
  /** Whether a resource version from the future is refused; else such a watch stays silent, as on most servers. */
  refusesFuture = false;
  /** Requests so far, as `verb resource`, in order. */
  readonly asked: string[] = [];
  /** TLS connections so far. */
  connections = 0;
  readonly ca: string;
  readonly #authority = makeAuthority();
  readonly #sockets = new Set<Socket>();
  readonly #watches = new Set<FakeWatch>();
  readonly #faults: { verb: Verb; fault: Fault }[] = [];
  #server: Server;
  #port = 0;
  #gate: Promise<void> | undefined;

  private constructor() {
    this.ca = this.#authority.certificate;
    this.#server = this.#create();
  }

  /** Starts a server on a free port. */
  static async start(): Promise<FakeApiServer> {
    const server = new FakeApiServer();
    await server.#listen();
    return server;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** The token that is good now. */
  get token(): string {
    return [...this.tokens.keys()][0]!;
  }

  /** Watches that are open. */
  get watches(): readonly FakeWatch[] {
    return [...this.#watches];
  }

  /** Connections that are open. */
  get openConnections(): number {
    return this.#sockets.size;
  }

  /** A KubeConfig of the user with the token of this moment, or with what is given. */
  kubeConfig(user: Record<string, unknown> = { token: this.token }): KubeConfig {
    const config = new KubeConfig();
    const caData = Buffer.from(this.ca).toString('base64');
    config.loadFromClusterAndUser({ name: 'fake', server: this.url, caData, skipTLSVerify: false }, { name: 'casebook', ...user });
    return config;
  }

  /** A client certificate of a user, as a kubeconfig carries it. */
  clientCertificate(user: string): { certData: string; keyData: string } {
    const { certificate, key } = this.#authority.forClient(user);
    return { certData: Buffer.from(certificate).toString('base64'), keyData: Buffer.from(key).toString('base64') };
  }

  /** Has the next requests of a kind fail. */
  failNext(verb: Verb, fault: Fault, times = 1): void {
    for (let i = 0; i < times; i++) this.#faults.push({ verb, fault });
  }

  /** Holds every answer back until what it returns is called. */
  holdAnswers(): () => void {
    let open: () => void = () => undefined;
    this.#gate = new Promise((resolve) => (open = resolve));
    return () => {
      this.#gate = undefined;
      open();
    };
  }

  /** Resets every connection, as a crash of something in between does. */
  resetConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** What is open falls silent without being closed, as when a network forgets a connection; new connections work. */
  fallSilent(): void {
    for (const watch of this.#watches) watch.silence();
  }

  compact(): Promise<void> {
    this.store.compact();
    return Promise.resolve();
  }

  /** Ends at once and starts again on the same port; `lost` with an empty store that counts from the beginning. */
  async restart(state: 'kept' | 'lost' = 'kept'): Promise<void> {
    await this.stop();
    if (state === 'lost') this.store = new FakeApiStore();
    this.#server = this.#create();
    await this.#listen();
  }

  /** Takes the certificate for one of another authority, or one that ran out, from the next connection on. */
  serveCertificate(kind: 'good' | 'foreign' | 'expired'): void {
    const authority = kind === 'foreign' ? makeAuthority() : this.#authority;
    const { key, certificate } = authority.forServer(kind === 'expired' ? Date.now() - 60_000 : undefined);
    this.#server.setSecureContext({ key, cert: certificate, ca: this.ca });
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const watch of this.#watches) watch.leave();
    this.resetConnections();
    await closed;
  }

  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${ADMIN}`, 'content-type': 'application/json' };
      const sent = httpsRequest(this.url + path, { method, ca: this.ca, headers, agent: false }, (answer) => {
        bodyOf(answer).then((said) => resolve({ status: answer.statusCode!, body: said }), reject);
      });
      sent.once('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  #create(): Server {
    const { key, certificate } = this.#authority.forServer();
    const server = createServer(
      { key, cert: certificate, ca: this.ca, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        response.on('error', () => undefined);
        this.#answer(request, response).catch((error: unknown) => {
          if (response.headersSent) response.destroy();
          else sendFailure(response, { code: 400, message: String(error) });
        });
      },
    );
    server.on('secureConnection', (socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    server.on('tlsClientError', () => undefined);
    return server;
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    response.setHeader('audit-id', crypto.randomUUID());
    if (this.#gate) await this.#gate;
    if (['/readyz', '/livez', '/healthz'].includes(url.pathname)) return void response.end('ok');
    const user = this.#userOf(request);
    if (user === undefined) return sendFailure(response, { code: 401 });
    if (url.pathname === '/version') return sendJson(response, 200, { major: '1', minor: '20', gitVersion: 'v1.20.2' });
    const route = routeOf(url.pathname);
    if (!route) return void response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    const verb = verbOf(request.method, route, url.searchParams);
    this.asked.push(`${verb} ${route.plural}${route.group && `.${route.group}`}`);
    if (user !== 'admin') {
      const at = this.#faults.findIndex((next) => next.verb === verb);
      const [next] = at < 0 ? [] : this.#faults.splice(at, 1);
      if (next) return spoil(response, next.fault);
      const refused = this.denied.has(`${verb} ${route.plural}${route.group && `.${route.group}`}`);
      if (refused) return sendFailure(response, forbidden(user, verb, route));
    }
    const view = (object: ApiObject): ApiObject =>
      METADATA.test(request.headers.accept ?? '') ? metadataOnly(object) : shown(object, route);
    if (verb === 'watch') return this.#watch(route, url.searchParams, response, view);
    if (verb === 'list') return answerList(this.store, route, url.searchParams, response, view);
    return this.#one(verb, route, request, response, view);
  }

  #userOf({ headers, socket }: IncomingMessage): string | undefined {
    const tls = socket as TLSSocket;
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (token !== undefined) return token === ADMIN ? 'admin' : this.tokens.get(token);
    const common = tls.authorized ? tls.getPeerCertificate().subject?.CN : undefined;
    return Array.isArray(common) ? common[0] : common;
  }

  #watch(route: ApiRoute, query: URLSearchParams, response: ServerResponse, view: (object: ApiObject) => ApiObject): void {
    const watch = new FakeWatch(this.store, route, query, response, view);
    if (!watch.begin(this.expiredAs, this.refusesFuture)) return;
    this.#watches.add(watch);
    response.once('close', () => {
      watch.leave();
      this.#watches.delete(watch);
    });
  }

  async #one(
    verb: Verb,
    route: ApiRoute,
    request: IncomingMessage,
    response: ServerResponse,
    view: (object: ApiObject) => ApiObject,
  ): Promise<void> {
    const { resource, namespace, name } = route;
    if (verb === 'create' || verb === 'update') {
      const object = stored((await bodyOf(request)) as ApiObject, route);
      const there = this.store.get(resource, namespace, object.metadata.name);
      if (verb === 'create' && there) return sendFailure(response, { code: 409 });
      if (verb === 'update' && !there) return sendFailure(response, notFound(route));
      return sendJson(response, verb === 'create' ? 201 : 200, view(this.store.put(resource, object)));
    }
    if (name === undefined) {
      const all = this.store.list(resource, this.store.revision, namespace);
      for (const { metadata } of all) this.store.delete(resource, metadata.namespace, metadata.name);
      return sendJson(response, 200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
    }
    const found = verb === 'delete' ? this.store.delete(resource, namespace, name!) : this.store.get(resource, namespace, name!);
    if (!found) return sendFailure(response, notFound(route));
    sendJson(response, 200, view(found));
  }
}

function verbOf(method: string | undefined, { name }: ApiRoute, query: URLSearchParams): Verb {
  if (method === 'POST') return 'create';
  if (method === 'PUT') return 'update';
  if (method === 'DELETE') return 'delete';
  if (name !== undefined) return 'get';
  return ['1', 'true'].includes(query.get('watch') ?? '') ? 'watch' : 'list';
}

function spoil(response: ServerResponse, fault: Fault): void {
  if (fault === 'hang') return;
  if (fault === 'reset') return void response.socket?.destroy();
  if (typeof fault === 'object') return sendFailure(response, fault);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"kind":"EventList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[{"metadata":{"na', () =>
    response.socket?.destroy(),
  );
}
