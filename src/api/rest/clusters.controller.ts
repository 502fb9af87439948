import { Body, Controller, Get, Param, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ClusterHealthService } from '../../pipeline/cluster-health.service.js';
import { scopeOf } from '../../platform/access.js';
import { mayName } from '../../platform/scope.js';
import { RequestError } from '../../platform/refusal.js';
import type { Cluster } from '../../store/cluster.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { AuditTrail } from '../audit-trail.service.js';
import type { WantedCluster } from '../check-new-cluster.js';
import { checkNewCluster } from '../check-new-cluster.js';
import { checkText } from '../page.js';
import { readJson } from '../read-json.js';
import type { Query } from './read-query.js';
import { localeOf } from './read-query.js';
import { showGap, showHealth } from './show-health.js';

const GAPS = 20;

/** The registry of clusters over REST. */
@Controller('v1/clusters')
export class ClustersController {
  constructor(
    private readonly clusters: ClusterRepository,
    private readonly health: ClusterHealthService,
    private readonly trail: AuditTrail,
  ) {}

  /** Registers a cluster; the token in the answer is shown this once. */
  @Post()
  async register(@Req() { caller }: FastifyRequest, @Body() body: Uint8Array | undefined) {
    const wanted = checkNewCluster(readJson(body) as WantedCluster);
    if (!mayName(scopeOf(caller), wanted.name))
      throw new RequestError('FORBIDDEN', `The token may not see a cluster named ${JSON.stringify(wanted.name)}.`);
    const asked = { caller, action: 'registerCluster', cluster: wanted.name, args: { input: wanted } };
    const { cluster, token } = await this.trail.record(asked, () => this.clusters.register(wanted));
    return { cluster: present(cluster), token };
  }

  /** All clusters, by name, and how they are doing. */
  @Get()
  @RouteConfig({ access: 'viewer' })
  async list(@Req() { caller, query, headers }: FastifyRequest) {
    const locale = localeOf(query as Query, headers['accept-language']);
    const [clusters, found] = await Promise.all([this.clusters.list(scopeOf(caller)), this.health.find(scopeOf(caller))]);
    const health = new Map(found.map((each) => [each.id, showHealth(each, locale)]));
    return { clusters: clusters.map((cluster) => ({ ...present(cluster), health: health.get(cluster.id) ?? null })) };
  }

  /** One cluster, how it is doing, and when nothing was heard of it. */
  @Get(':cluster')
  @RouteConfig({ access: 'viewer' })
  async byName(@Req() { caller, query, headers }: FastifyRequest, @Param('cluster') name: string) {
    const locale = localeOf(query as Query, headers['accept-language']);
    const found = await this.clusters.findByName(checkText('cluster', name), scopeOf(caller));
    if (!found) throw new RequestError('NOT_FOUND', `No cluster named ${JSON.stringify(name.slice(0, 100))} is registered.`);
    const health = await this.health.find(scopeOf(caller), { ids: [found.id] });
    const gaps = await this.health.gaps(health, GAPS);
    return { ...present(found), health: health[0] ? showHealth(health[0], locale) : null, gaps: (gaps.get(found.id) ?? []).map(showGap) };
  }
}

function present({ name, provider, region, labels, createdAt, lastHeardAt }: Cluster) {
  return { name, provider, region, labels, createdAt, lastHeardAt };
}
