import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Cluster } from './cluster-types.js';
import { Provider } from './enums.js';
import type { ValueOf } from './enums.js';
import { DateTime, Json } from './scalars.js';

/** Values of the enum ClusterState. */
export const ClusterState = { ACTIVE: 'active', SUSPENDED: 'suspended', REMOVING: 'removing' } as const;

registerEnumType(ClusterState, {
  name: 'ClusterState',
  description: 'Whether events are taken from a cluster.',
  valuesMap: {
    ACTIVE: { description: 'Events are taken.' },
    SUSPENDED: { description: 'Posts are refused with 403 until it is resumed; what is known stays, and incidents still end by quiet.' },
    REMOVING: { description: 'All its data is being deleted; then it is gone.' },
  },
});

@ObjectType({ description: 'A token with which a cluster may send its events. The token itself is never shown again.' })
export class ClusterToken {
  @Field(() => ID, { description: 'Number by which it can be revoked.' })
  id!: number;

  @Field(() => DateTime, { description: 'When it was issued.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it was last used, to the minute; null before the first time.' })
  lastUsedAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it stops or stopped being valid; null when it is valid until it is revoked.',
  })
  expiresAt!: Date | null;
}

@ObjectType({ description: 'A secret with which the senders of a cluster may sign. The secret itself is never shown again.' })
export class SigningSecret {
  @Field(() => ID, { description: 'Number by which it can be revoked.' })
  id!: number;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it stops or stopped being valid; null when it is valid until it is revoked.',
  })
  expiresAt!: Date | null;
}

@ObjectType({ description: 'A new token of a cluster.' })
export class IssuedClusterToken {
  @Field(() => Cluster, { description: 'The cluster, with all its tokens.' })
  cluster!: Cluster;

  @Field(() => String, { description: 'The new token. It is shown this once.' })
  token!: string;

  @Field(() => ClusterToken, { description: 'What will be shown of it from now on.' })
  issued!: ClusterToken;
}

@ObjectType({ description: 'A new signing secret of a cluster.' })
export class IssuedSigningSecret {
  @Field(() => Cluster, { description: 'The cluster, with all its signing secrets.' })
  cluster!: Cluster;

  @Field(() => String, { description: 'The new secret. It is shown this once.' })
  secret!: string;

  @Field(() => SigningSecret, { description: 'What will be shown of it from now on.' })
  issued!: SigningSecret;
}

@InputType({ description: 'What to change of a cluster: a field that is left out stays as it is, null puts the default in its place.' })
export class UpdateClusterInput {
  @Field(() => Provider, { nullable: true, description: 'Who provides it; counts for events that come from now on. Not null.' })
  provider?: ValueOf<typeof Provider> | null;

  @Field(() => String, { nullable: true, description: 'Region, in the words of the provider, at most 100 characters.' })
  region?: string | null;

  @Field(() => Json, { nullable: true, description: 'Labels, in place of all that it has: an object of names and texts, at most 64.' })
  labels?: unknown;

  @Field(() => Int, {
    nullable: true,
    description:
      'Events that it may post per second in the long run, 1 to 1,000,000; a minute of them may come at once. Null: the default of the service.',
  })
  eventsPerSecond?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Largest body as sent, in bytes, 1,024 to 1,073,741,824. Null: the limit of the service, which holds in any case.',
  })
  maxBodyBytes?: number | null;
}
