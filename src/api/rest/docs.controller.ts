import { Controller, Get, Header, Redirect } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { openApi } from './openapi.js';
import { renderDocs } from './render-docs.js';

/** The REST contract, for machines and for people. */
@Controller()
export class DocsController {
  /** Whoever opens the bare address is shown where things are. */
  @Get()
  @Redirect('/docs', 302)
  @RouteConfig({ access: 'open' })
  root(): void {}

  /** The contract as OpenAPI 3.1. */
  @Get('openapi.json')
  @RouteConfig({ access: 'open' })
  contract() {
    return openApi;
  }

  /** The contract as a page that needs no other host. */
  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
  @RouteConfig({ access: 'open' })
  page() {
    return renderDocs(openApi);
  }
}
