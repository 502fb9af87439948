import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { EVERYTHING, mayName } from '../platform/scope.js';
import type { Cluster } from './cluster.js';
import type { ClusterCredential } from './cluster-credential.js';
import { SIGNING_SECRETS, TOKENS } from './cluster-credential.js';
import { ClusterExistsError, ClusterRemovingError, ClusterUnknownError } from './cluster-errors.js';
import { issueToken } from './cluster-token.service.js';
import { Database } from './database.service.js';
import type { Cluster as ClusterModel } from './generated/client.js';
import type { ClusterUpdateInput } from './generated/models.js';
import { Prisma } from './prisma.service.js';
import { Registrations } from './registrations.service.js';
import { countOpenIncidents } from './queries/count-open-incidents.js';
import { findClusters } from './queries/find-clusters.js';
import { findCredentials } from './queries/find-credentials.js';

/** What a cluster is registered with. */
export type NewCluster = Pick<Cluster, 'name' | 'provider' | 'region' | 'labels'>;

/** What can be changed of a registered cluster; what is undefined stays as it is. */
export type ClusterChange = Partial<Pick<Cluster, 'provider' | 'region' | 'labels' | 'eventsPerSecond' | 'maxBodyBytes'>>;

/** The registry of clusters. */
@Injectable()
export class ClusterRepository {
  constructor(
    private readonly prisma: Prisma,
    private readonly database: Database,
    private readonly registrations: Registrations,
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
      if ((error as { code?: string }).code === 'P2002') {
        const other = await this.findByName(cluster.name, EVERYTHING);
        throw new ClusterExistsError(cluster.name, other !== undefined && other.removingAt !== null);
      }
      throw error;
    }
  }

  /** Finds a cluster by its name; undefined also when it lies outside the scope. */
  async findByName(name: string, scope: Scope): Promise<Cluster | undefined> {
    // PostgreSQL takes no NUL, so no name holds one.
    if (name.includes('\0') || !mayName(scope, name)) return undefined;
    const found = await this.prisma.run((client) => client.cluster.findUnique({ where: { name } }));
    return found ? toCluster(found) : undefined;
  }

  /** Finds clusters by their names, in one statement and no order; unknown ones and those outside the scope are left out. */
  findByNames(names: readonly string[], scope: Scope): Promise<Cluster[]> {
    const within = names.filter((name) => mayName(scope, name));
    return findClusters(this.database.reads, 'name', within);
  }

  /**
   * Finds clusters by id, in one statement; unknown ids are left out. Every page of incidents asks this, for the clusters of incidents
   * that the caller was shown.
   */
  findByIds(ids: readonly number[]): Promise<Cluster[]> {
    return findClusters(this.database.reads, 'id', ids);
  }

  /**
   * Changes a cluster's registration. A change of the provider counts for events that come from then on.
   *
   * @throws ClusterUnknownError, or ClusterRemovingError when it is being removed
   */
  update(name: string, { labels, ...change }: ClusterChange): Promise<Cluster> {
    return this.#change(name, { ...change, ...(labels && { labels: { ...labels } }) });
  }

  /** Takes nothing from the cluster until it is resumed; suspending it again changes the reason. Throws as `update`. */
  suspend(name: string, reason: string | null, now: Date): Promise<Cluster> {
    return this.#change(name, { suspendedAt: now, suspendedReason: reason });
  }

  /** Takes events from a suspended cluster again. Throws as `update`. */
  resume(name: string): Promise<Cluster> {
    return this.#change(name, { suspendedAt: null, suspendedReason: null });
  }

  /**
   * Closes a cluster for good, so that its data can be removed in the background: its tokens are void at once, and no writer
   * takes it any more. Doing it again changes nothing.
   *
   * @throws ClusterUnknownError
   */
  async beginRemoval(name: string, now: Date): Promise<Cluster> {
    try {
      return await this.#change(name, { removingAt: now, tokens: { deleteMany: {} } });
    } catch (error) {
      const found = error instanceof ClusterRemovingError ? await this.findByName(name, EVERYTHING) : undefined;
      if (!found) throw error;
      return found;
    }
  }

  /** All clusters of a scope, by name. */
  async list({ clusters }: Scope): Promise<Cluster[]> {
    const where = clusters ? { name: { in: [...clusters] } } : {};
    return (await this.prisma.run((client) => client.cluster.findMany({ where, orderBy: { name: 'asc' } }))).map(toCluster);
  }

  /** Number of incidents of a scope that are not resolved, by cluster id, in one statement; a cluster without any is left out. */
  countOpenIncidents(ids: readonly number[], scope: Scope): Promise<Map<number, number>> {
    return countOpenIncidents(this.database.reads, ids, scope);
  }

  /** The tokens of each cluster, the newest first. */
  tokens(clusterIds: readonly number[]): Promise<Map<number, ClusterCredential[]>> {
    return findCredentials(this.database.reads, TOKENS, clusterIds);
  }

  /** The signing secrets of each cluster, the newest first. */
  signingSecrets(clusterIds: readonly number[]): Promise<Map<number, ClusterCredential[]>> {
    return findCredentials(this.database.reads, SIGNING_SECRETS, clusterIds);
  }

  async #change(name: string, data: ClusterUpdateInput): Promise<Cluster> {
    try {
      return toCluster(await this.prisma.run((client) => client.cluster.update({ where: { name, removingAt: null }, data })));
    } catch (error) {
      if ((error as { code?: string }).code !== 'P2025') throw error;
      throw (await this.findByName(name, EVERYTHING)) ? new ClusterRemovingError(name) : new ClusterUnknownError(name);
    } finally {
      this.registrations.changed();
    }
  }
}

/** A cluster as the rest of the program knows it. */
export function toCluster({ labels, ...cluster }: ClusterModel): Cluster {
  return { ...cluster, labels: labels as Record<string, string> };
}
