import { Field, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { DateTime } from './scalars.js';

/** How a cluster is reached; inside, the words of the store. */
export const WatchMode = { KUBECONFIG: 'kubeconfig', IN_CLUSTER: 'in-cluster', STORED: 'stored' } as const;
/** What a watch is doing; inside, the words of the store. */
export const WatchState = {
  CONNECTING: 'connecting',
  LISTING: 'listing',
  WATCHING: 'watching',
  BACKING_OFF: 'backing-off',
  STOPPED: 'stopped',
  UNASSIGNED: 'unassigned',
} as const;

registerEnumType(WatchMode, {
  name: 'WatchMode',
  description: 'How a watched cluster is reached.',
  valuesMap: {
    KUBECONFIG: { description: 'By a context of a kubeconfig file that the environment of the service names.' },
    IN_CLUSTER: { description: 'By the service account of the Pod that the service runs in.' },
    STORED: { description: 'By a credential that was stored with watchCluster.' },
  },
});
registerEnumType(WatchState, {
  name: 'WatchState',
  description: 'What the watch of a cluster is doing.',
  valuesMap: {
    CONNECTING: { description: 'It was just taken up.' },
    LISTING: {
      description: 'It reads all events that the cluster has: the first time, or because what came since is no longer to be had.',
    },
    WATCHING: { description: 'Everything is read, and changes arrive as they happen.' },
    BACKING_OFF: { description: 'Something is wrong, which lastError tells; it tries again by itself, at the latest after 30 seconds.' },
    STOPPED: { description: 'It is being given to another replica.' },
    UNASSIGNED: {
      description:
        'No running replica watches it: one is about to, or none is able to, or the cluster is suspended. It lasts 10 seconds at most while one is able to.',
    },
  },
});

@ObjectType({ description: 'What last went wrong with a watch.' })
export class WatchError {
  @Field(() => String, {
    description: 'Kind of the failure, such as UNAUTHORIZED, FORBIDDEN, TLS, NETWORK, CREDENTIALS or UNEXPECTED_ANSWER.',
  })
  code!: string;

  @Field(() => String, { description: 'One sentence for the operator, without secrets.' })
  message!: string;

  @Field(() => DateTime, { description: 'When it happened.' })
  at!: number;
}

@ObjectType({ description: 'A kind of object whose end a watch cannot notice.' })
export class UnfollowedKind {
  @Field(() => String, { description: 'The kind.' })
  kind!: string;

  @Field(() => String, { description: 'Why, in a sentence.' })
  reason!: string;
}

@ObjectType({
  description: 'How the events of a cluster are read from its API server. Exact to the last renewal of the lease, about two seconds.',
})
export class ClusterWatch {
  @Field(() => WatchMode, { description: 'How the cluster is reached.' })
  mode!: string;

  @Field(() => WatchState, { description: 'What the watch is doing.' })
  state!: string;

  @Field(() => DateTime, { description: 'When that began.' })
  since!: number;

  @Field(() => String, { nullable: true, description: 'Name of the replica that watches it; null while none does.' })
  holder!: string | null;

  @Field(() => String, { nullable: true, description: 'Address of the API server; null before it is known.' })
  server!: string | null;

  @Field(() => WatchError, { nullable: true, description: 'What is wrong, or was before the watch was last well; null when nothing is.' })
  lastError!: WatchError | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Seconds since the stored resource version last moved, by an event or a bookmark; null before the first time.',
  })
  positionAgeSeconds!: number | null;

  @Field(() => [UnfollowedKind], {
    description: 'Kinds of objects whose end cannot be noticed, for want of rights or because the API server does not have them.',
  })
  unfollowed!: UnfollowedKind[];
}

@InputType({
  description:
    'How a cluster is to be watched: by a kubeconfig, or by a server with a token. What is sent is sealed before it is stored and never shown again.',
})
export class WatchClusterInput {
  @Field(() => String, { description: 'Name of the cluster, which is registered.' })
  cluster!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Text of a kubeconfig, at most 262,144 characters. Its user has a token or a client certificate in the text itself: what names a file or a program is refused.',
  })
  kubeconfig?: string;

  @Field(() => String, { nullable: true, description: 'Context of the kubeconfig; its current one by default.' })
  context?: string;

  @Field(() => String, { nullable: true, description: 'Address of the API server, such as https://10.0.0.1:6443.' })
  server?: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Certificate that the one of the server is signed by, PEM or base64 of it; by default those that the host of the service trusts.',
  })
  certificateAuthority?: string;

  @Field(() => String, { nullable: true, description: 'Token of a service account that may read events.' })
  token?: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Takes plain http, and a server without certificateAuthority or with insecure-skip-tls-verify is not checked: whoever is on the way can read the token.',
  })
  allowInsecure!: boolean;
}
