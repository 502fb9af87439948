import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import type { Cluster } from './cluster.js';
import type { ClusterCredential, CredentialTable } from './cluster-credential.js';
import { SIGNING_SECRETS, TOKENS } from './cluster-credential.js';
import { CredentialError } from './cluster-errors.js';
import { issueToken } from './cluster-token.service.js';
import { toCluster } from './cluster.repository.js';
import { Database } from './database.service.js';
import { Prisma } from './prisma.service.js';
import { Registrations } from './registrations.service.js';
import type { Connection } from './rows.js';
import { rows } from './rows.js';
import { Sealer } from './seal.service.js';
import { countValid, rotateCredential } from './statements/rotate-credential.js';
import { takeCluster } from './statements/take-cluster.js';

/** A token as it is known to the door: whose it is, and until when it is good. */
export interface KnownToken {
  id: number;
  /** Milliseconds since the epoch; null when it does not expire. */
  expiresAt: number | null;
  cluster: Cluster;
}

/** What a rotation made: the credential, and the token or secret itself, which is shown this once. */
export interface Issued {
  credential: ClusterCredential;
  plain: string;
}

/** Credentials of one kind that a cluster may have at a time, those in their grace included. */
const MOST_VALID = 8;

const aadOf = (clusterId: number): string => `cluster/${clusterId}/signing`;

/** The tokens that clusters send and the secrets that they sign with. */
@Injectable()
export class ClusterCredentialRepository {
  constructor(
    private readonly prisma: Prisma,
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly registrations: Registrations,
  ) {}

  /** Finds a token by its hash; an expired one is found too. */
  async findToken(hash: Uint8Array<ArrayBuffer>): Promise<KnownToken | undefined> {
    const found = await this.prisma.run((client) => client.clusterToken.findUnique({ where: { hash }, include: { cluster: true } }));
    return found ? { id: found.id, expiresAt: found.expiresAt?.getTime() ?? null, cluster: toCluster(found.cluster) } : undefined;
  }

  /** Notes that a token was used, to the minute of the database's clock. */
  async noteUse(tokenId: number): Promise<void> {
    await this.database.rows(
      `UPDATE cluster_token SET last_used_at = date_trunc('minute', now())
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < date_trunc('minute', now()))`,
      tokenId,
    );
  }

  /**
   * Gives a cluster a new token; those that it has stay valid for the grace at most.
   *
   * @throws ClusterUnknownError, ClusterRemovingError, or CredentialError when too many are valid
   */
  rotateToken(name: string, graceSeconds: number): Promise<Issued> {
    const { token, hash } = issueToken();
    return this.#rotate(TOKENS, name, graceSeconds, token, () => hash);
  }

  /**
   * Gives a cluster a new secret to sign with: `cs_` and 32 random bytes in base64url; those that it has stay valid for the
   * grace at most.
   *
   * @throws SealError when the service has no key to keep it with; else as `rotateToken`
   */
  rotateSigningSecret(name: string, graceSeconds: number): Promise<Issued> {
    const secret = `cs_${randomBytes(32).toString('base64url')}`;
    return this.#rotate(SIGNING_SECRETS, name, graceSeconds, secret, (clusterId) => this.sealer.seal(secret, aadOf(clusterId)));
  }

  /**
   * Revokes a token at once.
   *
   * @throws CredentialError when the cluster has no token of that id
   */
  revokeToken(name: string, id: number): Promise<void> {
    return this.#revoke(TOKENS, name, id, async () => undefined);
  }

  /**
   * Revokes a signing secret at once.
   *
   * @throws CredentialError when the cluster has none of that id, or when it is the last valid one and signatures are required
   */
  revokeSigningSecret(name: string, id: number): Promise<void> {
    return this.#revoke(SIGNING_SECRETS, name, id, async (connection, clusterId) => {
      const [cluster] = await rows<{ required: boolean }>(
        connection,
        'SELECT signatures_required AS required FROM cluster WHERE id = $1',
        clusterId,
      );
      if (cluster?.required && (await countValid(connection, SIGNING_SECRETS, clusterId)) === 0) {
        throw new CredentialError(
          'CREDENTIAL_CONFLICT',
          `"${name}" requires signatures and this is its last valid secret; rotate it first, or stop requiring signatures`,
        );
      }
    });
  }

  /**
   * Says whether a cluster's bodies have to be signed.
   *
   * @throws CredentialError when they shall be and the cluster has no valid signing secret
   */
  async requireSignatures(name: string, required: boolean): Promise<void> {
    await this.#change(name, async (connection, clusterId) => {
      if (required && (await countValid(connection, SIGNING_SECRETS, clusterId)) === 0) {
        throw new CredentialError(
          'CREDENTIAL_CONFLICT',
          `"${name}" has no valid signing secret; make one first and give it to its senders`,
        );
      }
      await rows(connection, 'UPDATE cluster SET signatures_required = $2 WHERE id = $1', clusterId, required);
    });
  }

  /**
   * The secrets with which a cluster may sign now. One that the old key sealed is sealed anew on the way.
   *
   * @throws SealError when one cannot be read with the keys of this service
   */
  async openSigningSecrets(clusterId: number): Promise<string[]> {
    const found = await this.database.rows<{ id: number; sealed: string }>(
      'SELECT id, sealed FROM signing_secret WHERE cluster_id = $1 AND (expires_at IS NULL OR expires_at > now()) ORDER BY id DESC',
      clusterId,
    );
    const opened = found.map(({ id, sealed }) => ({ id, sealed, plain: this.sealer.open(sealed, aadOf(clusterId)) }));
    for (const { id, sealed, plain } of opened.filter((secret) => !this.sealer.isCurrent(secret.sealed))) {
      const anew = this.sealer.seal(plain, aadOf(clusterId));
      await this.database.rows('UPDATE signing_secret SET sealed = $3 WHERE id = $1 AND sealed = $2', id, sealed, anew);
    }
    return opened.map(({ plain }) => plain);
  }

  #rotate(
    kind: CredentialTable,
    name: string,
    graceSeconds: number,
    plain: string,
    valueFor: (clusterId: number) => Uint8Array | string,
  ): Promise<Issued> {
    return this.#change(name, async (connection, clusterId) => {
      const credential = await rotateCredential(connection, kind, { clusterId, value: valueFor(clusterId), graceSeconds });
      if ((await countValid(connection, kind, clusterId)) > MOST_VALID) {
        throw new CredentialError(
          'CREDENTIAL_CONFLICT',
          `"${name}" has ${MOST_VALID} valid ones already; revoke those that nobody uses any more`,
        );
      }
      return { credential, plain };
    });
  }

  #revoke(
    { table }: CredentialTable,
    name: string,
    id: number,
    check: (connection: Connection, clusterId: number) => Promise<void>,
  ): Promise<void> {
    return this.#change(name, async (connection, clusterId) => {
      const gone = await rows(connection, `DELETE FROM ${table} WHERE id = $1 AND cluster_id = $2 RETURNING id`, id, clusterId);
      const what = table === 'cluster_token' ? 'token' : 'signing secret';
      if (gone.length === 0) throw new CredentialError('CREDENTIAL_UNKNOWN', `"${name}" has no ${what} with the id ${id}`);
      await check(connection, clusterId);
    });
  }

  /** Runs a change of one registration, and makes the door of this process look again afterwards. */
  async #change<T>(name: string, work: (connection: Connection, clusterId: number) => Promise<T>): Promise<T> {
    const result = await this.database.transaction(async (connection) => work(connection, await takeCluster(connection, name)));
    this.registrations.changed();
    return result;
  }
}
