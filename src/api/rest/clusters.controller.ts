import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { RequestError } from '../../platform/refusal.js';
import type { Cluster } from '../../store/cluster.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import type { WantedCluster } from '../check-new-cluster.js';
import { checkNewCluster } from '../check-new-cluster.js';
import { checkText } from '../page.js';
import { readJson } from '../read-json.js';

/** The registry of clusters over REST. */
@Controller('v1/clusters')
export class ClustersController {
  constructor(private readonly clusters: ClusterRepository) {}

  /** Registers a cluster; the token in the answer is shown this once. */
  @Post()
  async register(@Body() body: Uint8Array | undefined) {
    const { cluster, token } = await this.clusters.register(checkNewCluster(readJson(body) as WantedCluster));
    return { cluster: present(cluster), token };
  }

  /** All clusters, by name. */
  @Get()
  async list() {
    return { clusters: (await this.clusters.list()).map(present) };
  }

  /** One cluster. */
  @Get(':cluster')
  async byName(@Param('cluster') name: string) {
    const found = await this.clusters.findByName(checkText('cluster', name));
    if (!found) throw new RequestError('NOT_FOUND', `No cluster named ${JSON.stringify(name.slice(0, 100))} is registered.`);
    return present(found);
  }
}

function present({ name, provider, region, labels, createdAt, lastHeardAt }: Cluster) {
  return { name, provider, region, labels, createdAt, lastHeardAt };
}
