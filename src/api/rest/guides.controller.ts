import { Controller, Get, Headers, Param, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { RequestError } from '../../platform/refusal.js';
import { explainExitCode } from '../explain-exit-code.js';
import { findGuide, listGuides } from '../search-guides.js';
import { presentExitCode, presentGuide, presentGuideSummary } from './present-guide.js';
import type { Query as QueryValues } from './read-query.js';
import { firstOf, localeOf, textOf } from './read-query.js';

/** Guides and exit codes over REST. */
@Controller('v1')
export class GuidesController {
  constructor(private readonly knowledge: KnowledgeService) {}

  /** Guides, best fit first, else by id. */
  @Get('guides')
  @RouteConfig({ access: 'viewer' })
  list(@Query() query: QueryValues, @Headers('accept-language') languages: string | undefined) {
    const locale = localeOf(query, languages);
    const page = listGuides(this.knowledge.current(), {
      search: textOf(query, 'search'),
      first: firstOf(query, 50),
      after: textOf(query, 'after'),
    });
    return { nodes: page.nodes.map((guide) => presentGuideSummary(guide, locale)), pageInfo: page.pageInfo, totalCount: page.total };
  }

  /** One guide by its name, the part of its id after the slash. */
  @Get('guides/:name')
  @RouteConfig({ access: 'viewer' })
  byName(@Param('name') name: string, @Query() query: QueryValues, @Headers('accept-language') languages: string | undefined) {
    const guide = findGuide(this.knowledge.current(), name);
    if (!guide) throw new RequestError('NOT_FOUND', `There is no guide ${JSON.stringify(name.slice(0, 200))}.`);
    return presentGuide(guide, localeOf(query, languages));
  }

  /** What an exit code of a container means; one outside 0-255 is folded. */
  @Get('exit-codes/:code')
  @RouteConfig({ access: 'viewer' })
  exitCode(@Param('code') code: string, @Query() query: QueryValues, @Headers('accept-language') languages: string | undefined) {
    if (!/^-?\d{1,15}$/.test(code))
      throw new RequestError('BAD_INPUT', `code has to be a whole number, got ${JSON.stringify(code.slice(0, 40))}.`);
    const found = explainExitCode(this.knowledge.current().reference.exitCodes, Number(code));
    if (!found) throw new RequestError('NOT_FOUND', 'The knowledge base holds no table of exit codes.');
    return presentExitCode(found, localeOf(query, languages));
  }
}
