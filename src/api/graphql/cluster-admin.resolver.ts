import { Args, Context, ID, Int, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Clock } from '../../platform/clock.js';
import { EVERYTHING } from '../../platform/scope.js';
import { RequestError } from '../../platform/refusal.js';
import type { Cluster as KnownCluster } from '../../store/cluster.js';
import type { ClusterCredential } from '../../store/cluster-credential.js';
import { ClusterCredentialRepository } from '../../store/cluster-credential.repository.js';
import { ClusterUnknownError } from '../../store/cluster-errors.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { checkClusterChange, checkConfirmed, checkGrace, checkReason, GRACE } from '../check-cluster-change.js';
import { checkText } from '../page.js';
import {
  ClusterState,
  ClusterToken,
  IssuedClusterToken,
  IssuedSigningSecret,
  SigningSecret,
  UpdateClusterInput,
} from './cluster-admin-types.js';
import { Cluster } from './cluster-types.js';
import type { ValueOf } from './enums.js';
import type { GraphqlContext } from './graphql-context.js';
import { Needs } from './needs.js';

const OF_CLUSTER = { within: ({ name }: Record<string, unknown>) => name };
const CLUSTER = { type: () => String, description: 'Name of the cluster.' } as const;
const GRACE_SECONDS = {
  type: () => Int,
  defaultValue: GRACE.byDefault,
  description: `Seconds for which the present ones stay valid at most, ${GRACE.least} to ${GRACE.most} (30 days).`,
} as const;

/** Looks after registered clusters: their tokens and signing secrets, limits, suspension and removal. */
@Resolver(() => Cluster)
export class ClusterAdminResolver {
  constructor(
    private readonly registry: ClusterRepository,
    private readonly credentials: ClusterCredentialRepository,
    private readonly clock: Clock,
  ) {}

  @ResolveField(() => ClusterState, { description: 'Whether events are taken from it.' })
  state(@Parent() { removingAt, suspendedAt }: KnownCluster): ValueOf<typeof ClusterState> {
    return removingAt ? ClusterState.REMOVING : suspendedAt ? ClusterState.SUSPENDED : ClusterState.ACTIVE;
  }

  @Needs('admin')
  @ResolveField(() => [ClusterToken], {
    description: 'Its tokens, the newest first, with the latest expired ones; never the tokens themselves.',
  })
  tokens(@Parent() { id }: KnownCluster, @Context() { load }: GraphqlContext): Promise<ClusterCredential[]> {
    return load.tokens.load(id);
  }

  @Needs('admin')
  @ResolveField(() => [SigningSecret], {
    description: 'Its signing secrets, the newest first, with the latest expired ones; never the secrets.',
  })
  signingSecrets(@Parent() { id }: KnownCluster, @Context() { load }: GraphqlContext): Promise<ClusterCredential[]> {
    return load.signingSecrets.load(id);
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => Cluster, { description: 'Changes the registration or the limits of a cluster.' })
  updateCluster(
    @Args('name', CLUSTER) name: string,
    @Args('input', { type: () => UpdateClusterInput, description: 'What to change.' }) input: UpdateClusterInput,
  ): Promise<KnownCluster> {
    return this.registry.update(checkText('name', name), checkClusterChange(input));
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => IssuedClusterToken, {
    description:
      'Gives a cluster a new token. Those that it has stay valid until they are revoked or the grace has passed, so that its senders can be changed one after the other.',
  })
  async rotateClusterToken(
    @Args('name', CLUSTER) name: string,
    @Args('graceSeconds', GRACE_SECONDS) graceSeconds: number,
  ): Promise<{ cluster: KnownCluster; token: string; issued: ClusterCredential }> {
    const { plain, credential } = await this.credentials.rotateToken(checkText('name', name), checkGrace(graceSeconds));
    return { cluster: await this.#named(name), token: plain, issued: credential };
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => Cluster, { description: 'Revokes a token at once; other processes of the service refuse it within 10 seconds.' })
  async revokeClusterToken(
    @Args('name', CLUSTER) name: string,
    @Args('id', { type: () => ID, description: 'Number of the token, as "tokens" of the cluster lists it.' }) id: string,
  ): Promise<KnownCluster> {
    await this.credentials.revokeToken(checkText('name', name), toNumber(id));
    return this.#named(name);
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => IssuedSigningSecret, {
    description:
      'Gives a cluster a new secret to sign its bodies with. Those that it has stay valid until they are revoked or the grace has passed. Needs CASEBOOK_SECRET_KEY.',
  })
  async rotateSigningSecret(
    @Args('name', CLUSTER) name: string,
    @Args('graceSeconds', GRACE_SECONDS) graceSeconds: number,
  ): Promise<{ cluster: KnownCluster; secret: string; issued: ClusterCredential }> {
    const { plain, credential } = await this.credentials.rotateSigningSecret(checkText('name', name), checkGrace(graceSeconds));
    return { cluster: await this.#named(name), secret: plain, issued: credential };
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => Cluster, {
    description:
      'Revokes a signing secret at once; other processes of the service refuse it within 10 seconds. Not the last valid one while signatures are required.',
  })
  async revokeSigningSecret(
    @Args('name', CLUSTER) name: string,
    @Args('id', { type: () => ID, description: 'Number of the secret, as "signingSecrets" of the cluster lists it.' }) id: string,
  ): Promise<KnownCluster> {
    await this.credentials.revokeSigningSecret(checkText('name', name), toNumber(id));
    return this.#named(name);
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => Cluster, {
    description: 'Says whether every body of events of a cluster has to be signed; needs a valid signing secret.',
  })
  async requireSignatures(
    @Args('name', CLUSTER) name: string,
    @Args('required', { type: () => Boolean, description: 'True to refuse what is not signed.' }) required: boolean,
  ): Promise<KnownCluster> {
    await this.credentials.requireSignatures(checkText('name', name), required);
    return this.#named(name);
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => Cluster, {
    description:
      'Takes nothing from a cluster until it is resumed: its posts are answered 403 with the reason. What is known stays readable, and incidents still end by quiet. Doing it again replaces time and reason.',
  })
  suspendCluster(
    @Args('name', CLUSTER) name: string,
    @Args('reason', { type: () => String, nullable: true, description: 'Told to its senders, at most 500 characters.' })
    reason?: string | null,
  ): Promise<KnownCluster> {
    return this.registry.suspend(checkText('name', name), checkReason(reason), new Date(this.clock.now()));
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => Cluster, { description: 'Takes events from a suspended cluster again. Harmless for one that is not suspended.' })
  resumeCluster(@Args('name', CLUSTER) name: string): Promise<KnownCluster> {
    return this.registry.resume(checkText('name', name));
  }

  @Needs('admin', OF_CLUSTER)
  @Mutation(() => Cluster, {
    description:
      'Removes a cluster with all its data, for good: its tokens are void at once, its data is deleted in the background, and its name is free when that is done. Doing it again changes nothing.',
  })
  removeCluster(
    @Args('name', CLUSTER) name: string,
    @Args('confirm', { type: () => String, description: 'The name once more, as a guard.' }) confirm: string,
  ): Promise<KnownCluster> {
    return this.registry.beginRemoval(checkConfirmed(checkText('name', name), confirm), new Date(this.clock.now()));
  }

  async #named(name: string): Promise<KnownCluster> {
    const found = await this.registry.findByName(name, EVERYTHING);
    if (!found) throw new ClusterUnknownError(name);
    return found;
  }
}

function toNumber(id: string): number {
  if (/^[1-9]\d{0,8}$/.test(id)) return Number(id);
  throw new RequestError('BAD_INPUT', `id: expected a whole number, got ${JSON.stringify(id.slice(0, 40))}.`);
}
