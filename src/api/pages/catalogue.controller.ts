import { Controller, Get, Header, Headers, Param, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { createHash } from 'node:crypto';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { RequestError } from '../../platform/refusal.js';
import { checkText } from '../page.js';
import { findGuide, listGuides } from '../search-guides.js';
import { searchProblems } from '../search-problems.js';
import type { Query as QueryValues } from '../rest/read-query.js';
import { localeOf, textOf } from '../rest/read-query.js';
import { SCRIPT, STYLE } from './page-frame.js';
import type { PageView } from './page-frame.js';
import { renderCatalogue } from './render-catalogue.js';
import { renderGuide } from './render-guide.js';
import { renderProblem } from './render-problem.js';

const TYPE = 'text/html; charset=utf-8';
/** Nothing but our own style and script, known by their hashes. */
const POLICY = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
const MOST_GUIDES = 20;
const MOST_PROBLEMS = 100;

/** The knowledge base as pages for people, in either language, without any other host. */
@Controller()
export class CatalogueController {
  constructor(private readonly knowledge: KnowledgeService) {}

  /** All problems by provider and area, and all guides; with `search` what fits it, best first. */
  @Get('problems')
  @Header('content-type', TYPE)
  @Header('content-security-policy', POLICY)
  @Header('vary', 'accept-language')
  @RouteConfig({ access: 'viewer', catalogue: true })
  catalogue(@Query() query: QueryValues, @Headers('accept-language') languages: string | undefined): string {
    const knowledge = this.knowledge.current();
    const search = checkText('search', textOf(query, 'search') ?? '', 200).trim();
    if (search === '') return renderCatalogue(knowledge, viewOf(query, languages));
    const problems = searchProblems(knowledge, { search })
      .slice(0, MOST_PROBLEMS)
      .map(({ problem }) => problem);
    const guides = listGuides(knowledge, { search, first: MOST_GUIDES }).nodes;
    return renderCatalogue(knowledge, viewOf(query, languages), { search, problems, guides });
  }

  /** One problem. */
  @Get('problems/:provider/:area/:name')
  @Header('content-type', TYPE)
  @Header('content-security-policy', POLICY)
  @Header('vary', 'accept-language')
  @RouteConfig({ access: 'viewer', catalogue: true })
  problem(
    @Param() { provider, area, name }: { provider: string; area: string; name: string },
    @Query() query: QueryValues,
    @Headers('accept-language') languages: string | undefined,
  ): string {
    const knowledge = this.knowledge.current();
    const problem = knowledge.byId.get(`${provider}/${area}/${name}`);
    if (!problem) throw new RequestError('NOT_FOUND', 'There is no such problem; /problems lists all of them.');
    return renderProblem(problem, knowledge, viewOf(query, languages));
  }

  /** One guide. */
  @Get('guides/:name')
  @Header('content-type', TYPE)
  @Header('content-security-policy', POLICY)
  @Header('vary', 'accept-language')
  @RouteConfig({ access: 'viewer', catalogue: true })
  guide(@Param('name') name: string, @Query() query: QueryValues, @Headers('accept-language') languages: string | undefined): string {
    const knowledge = this.knowledge.current();
    const guide = findGuide(knowledge, name);
    if (!guide) throw new RequestError('NOT_FOUND', 'There is no such guide; /problems lists all of them.');
    return renderGuide(guide, knowledge, viewOf(query, languages));
  }
}

function viewOf(query: QueryValues, languages: string | undefined): PageView {
  return { locale: localeOf(query, languages), sticky: textOf(query, 'locale') !== undefined };
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
