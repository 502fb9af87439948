import { Injectable } from '@nestjs/common';
import type { Cluster } from './cluster.js';
import { issueToken } from './cluster-token.service.js';
import { Database } from './database.service.js';
import type { Cluster as ClusterModel } from './generated/client.js';
import { Prisma } from './prisma.service.js';
import { countOpenIncidents } from './queries/count-open-incidents.js';
import { findClusters } from './queries/find-clusters.js';

/** What a cluster is registered with. */
export type NewCluster = Pick<Cluster, 'name' | 'provider' | 'region' | 'labels'>;

/** A cluster of that name is registered already. */
export class ClusterExistsError extends Error {
  readonly code = 'CLUSTER_EXISTS';
  constructor(name: string) {
    super(`a cluster named "${name}" is registered already`);
  }
}

/** The registry of clusters and the hashes of their tokens. */
@Injectable()
export class ClusterRepository {
  constructor(
    private readonly prisma: Prisma,
    private readonly database: Database,
  ) {}

  /**
   * Registers a cluster with a token of its own, both or none. The token is returned this once; only its hash is kept.
   *
   * @throws ClusterExistsError when the name is taken
   */
  async register(cluster: NewCluster): Promise<{ cluster: Cluster; token: string }> {
    const { token, hash } = issueToken();
    const data = { ...cluster, labels: { ...cluster.labels }, tokens: { create: { hash } } };
    try {
      return { cluster: toCluster(await this.prisma.run((client) => client.cluster.create({ data }))), token };
    } catch (error) {
      if ((error as { code?: string }).code === 'P2002') throw new ClusterExistsError(cluster.name);
      throw error;
    }
  }

  /** Finds a cluster by its name. */
  async findByName(name: string): Promise<Cluster | undefined> {
    // PostgreSQL takes no NUL, so no name holds one.
    if (name.includes('\0')) return undefined;
    const found = await this.prisma.run((client) => client.cluster.findUnique({ where: { name } }));
    return found ? toCluster(found) : undefined;
  }

  /** Finds clusters by id, in one statement; unknown ids are left out. Every page of incidents asks this. */
  findByIds(ids: readonly number[]): Promise<Cluster[]> {
    return findClusters(this.database, ids);
  }

  /** Finds the cluster that a token belongs to, by the token's hash. */
  async findByTokenHash(hash: Uint8Array<ArrayBuffer>): Promise<Cluster | undefined> {
    const where = { tokens: { some: { hash } } };
    const found = await this.prisma.run((client) => client.cluster.findFirst({ where }));
    return found ? toCluster(found) : undefined;
  }

  /** All clusters, by name. */
  async list(): Promise<Cluster[]> {
    return (await this.prisma.run((client) => client.cluster.findMany({ orderBy: { name: 'asc' } }))).map(toCluster);
  }

  /** Number of incidents that are not resolved, by cluster id, in one statement; a cluster without any is left out. */
  countOpenIncidents(ids: readonly number[]): Promise<Map<number, number>> {
    return countOpenIncidents(this.database, ids);
  }
}

function toCluster({ labels, ...cluster }: ClusterModel): Cluster {
  return { ...cluster, labels: labels as Record<string, string> };
}
