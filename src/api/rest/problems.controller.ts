import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { RequestError } from '../../platform/refusal.js';
import { listProblems } from '../list-problems.js';
import { checkText } from '../page.js';
import { problemsOfCode } from '../search-problems.js';
import { presentProblem, presentSummary } from './present-problem.js';
import type { Query as QueryValues } from './read-query.js';
import { firstOf, localeOf, providerOf, textOf } from './read-query.js';

/** The knowledge base over REST. */
@Controller('v1')
export class ProblemsController {
  constructor(private readonly knowledge: KnowledgeService) {}

  /** Problems, best fit first, else by id. */
  @Get('problems')
  @RouteConfig({ access: 'viewer' })
  list(@Query() query: QueryValues, @Headers('accept-language') languages: string | undefined) {
    const locale = localeOf(query, languages);
    const filter = { search: textOf(query, 'search'), provider: providerOf(query), area: textOf(query, 'area') };
    const page = listProblems(this.knowledge.current(), { ...filter, first: firstOf(query, 50), after: textOf(query, 'after') });
    return { nodes: page.nodes.map((problem) => presentSummary(problem, locale)), pageInfo: page.pageInfo, totalCount: page.total };
  }

  /** One problem, its id with the slashes percent-encoded. */
  @Get('problems/:id')
  @RouteConfig({ access: 'viewer' })
  byEncodedId(@Param('id') id: string, @Query() query: QueryValues, @Headers('accept-language') languages: string | undefined) {
    const problem = this.knowledge.current().byId.get(id);
    if (!problem) throw new RequestError('NOT_FOUND', `There is no problem ${JSON.stringify(id.slice(0, 200))}.`);
    return presentProblem(problem, localeOf(query, languages), this.knowledge.current().guidesByProblem.get(id));
  }

  /** One problem, its id as it is. */
  @Get('problems/:provider/:area/:name')
  @RouteConfig({ access: 'viewer' })
  byId(
    @Param() { provider, area, name }: { provider: string; area: string; name: string },
    @Query() query: QueryValues,
    @Headers('accept-language') languages: string | undefined,
  ) {
    return this.byEncodedId(`${provider}/${area}/${name}`, query, languages);
  }

  /** What a code means, for each kind of object that it can come from; an empty list when nobody knows it. */
  @Get('codes/:code')
  @RouteConfig({ access: 'viewer' })
  code(@Param('code') code: string, @Query() query: QueryValues, @Headers('accept-language') languages: string | undefined) {
    const found = problemsOfCode(this.knowledge.current(), checkText('code', code), textOf(query, 'kind'), providerOf(query));
    const locale = localeOf(query, languages);
    return {
      code: code.trim().toUpperCase(),
      problems: found.map((problem) => presentProblem(problem, locale, this.knowledge.current().guidesByProblem.get(problem.id))),
    };
  }
}
