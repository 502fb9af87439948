import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { scopeOf } from '../../platform/access.js';
import { RequestError } from '../../platform/refusal.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { RejectedRepository } from '../../store/rejected.repository.js';
import type { ShownRejected } from '../list-rejected.js';
import { listRejected } from '../list-rejected.js';
import { checkText } from '../page.js';
import type { Query as Parameters } from './read-query.js';
import { firstOf, textOf } from './read-query.js';

const PAGE = 50;

/** Refused input over REST. */
@Controller('v1')
export class RejectedController {
  constructor(
    private readonly repository: RejectedRepository,
    private readonly clusters: ClusterRepository,
  ) {}

  /** What was refused of a cluster, latest first. */
  @Get('clusters/:cluster/rejected')
  async ofCluster(@Req() request: FastifyRequest, @Param('cluster') name: string, @Query() query: Parameters) {
    const found = await this.clusters.findByName(checkText('cluster', name), scopeOf(request.caller));
    if (!found) {
      throw new RequestError(
        'NOT_FOUND',
        `No cluster named ${JSON.stringify(name.slice(0, 100))} is registered; what was sent to such names is under /v1/rejected.`,
      );
    }
    return this.#list(request, name, query);
  }

  /** What was sent to names that no cluster has, latest first. */
  @Get('rejected')
  async ofUnknown(@Req() request: FastifyRequest, @Query() query: Parameters) {
    return this.#list(request, null, query);
  }

  async #list({ caller }: FastifyRequest, cluster: string | null, query: Parameters) {
    const { page, count } = await listRejected(this.repository, scopeOf(caller), cluster, firstOf(query, PAGE), textOf(query, 'after'));
    return { nodes: page.nodes.map(inJson), pageInfo: page.pageInfo, totalCount: await count() };
  }
}

function inJson({ firstAt, lastAt, ...rejected }: ShownRejected) {
  return { ...rejected, firstAt: new Date(firstAt).toISOString(), lastAt: new Date(lastAt).toISOString() };
}
