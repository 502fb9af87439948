import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { RequestError } from '../../platform/refusal.js';
import { readJson } from '../read-json.js';
import { EXPLORER_FETCHER } from './explorer-fetcher.js';

/** The page in its compressed form: it holds a whole editor, and every browser takes gzip. */
let page: Promise<Buffer> | undefined;

const PATH = '/graphql';

/**
 * What the GraphQL server leaves to the HTTP server: it reads the bodies of queries, and shows browsers that open /graphql
 * an explorer that needs no other host.
 */
@Injectable()
export class GraphqlHttpService implements OnModuleInit {
  constructor(private readonly http: HttpAdapterHost) {}

  onModuleInit(): void {
    const server = this.http.httpAdapter.getInstance<FastifyInstance>();
    // Before the check of tokens: the page itself tells nothing; what it asks for needs the token.
    server.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.url !== PATH) return;
      if (!URL.canParse(`http://${request.host}${request.url}`)) throw new RequestError('BAD_INPUT', 'The Host header is not a host.');
      if (wantsPage(request)) await sendPage(reply);
    });
    server.addHook('preValidation', async (request) => {
      const { body, headers, routeOptions } = request;
      if (routeOptions.url !== PATH || !(body instanceof Uint8Array) || !isJson(headers['content-type'])) return;
      request.body = readJson(body);
    });
  }
}

function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true && !/[?&](query|extensions)=/.test(url);
}

async function sendPage(reply: FastifyReply): Promise<void> {
  page ??= renderPage();
  await reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'private, max-age=3600',
      vary: 'accept, accept-encoding',
    })
    .send(await page);
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType ?? '');
}

async function renderPage(): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const options = { title: 'Casebook', defaultQuery: DEFAULT_QUERY };
  const [page, said] = [renderGraphiQL(options), JSON.stringify(options)];
  const at = page.lastIndexOf(said);
  if (at < 0) throw new Error('the explorer does not hold its options as they were given');
  // Functions do not go through its options: they are JSON.
  return promisify(gzip)(`${page.slice(0, at)}{ ...${said}, fetcher: ${EXPLORER_FETCHER} }${page.slice(at + said.length)}`);
}

const DEFAULT_QUERY = `# Incidents that are open now, the latest first.
{
  incidents(filter: { statuses: [OPEN] }, first: 10) {
    totalCount
    nodes {
      cluster { name }
      subject { kind namespace name }
      severity
      occurrences
      lastSeenAt
      problem { id title }
      diagnosis { matchedOn checks { run look } remedies { text } }
    }
  }
}
`;
