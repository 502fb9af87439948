import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { Provider } from './enums.js';
import type { ValueOf } from './enums.js';
import { DateTime, Json } from './scalars.js';

@ObjectType({ description: 'A registered source of events.' })
export class Cluster {
  @Field(() => String, { description: 'Name, by which its events are sent.' })
  name!: string;

  @Field(() => Provider, { description: 'Who provides it.' })
  provider!: string;

  @Field(() => String, { nullable: true, description: 'Region, in the words of the provider.' })
  region!: string | null;

  @Field(() => Json, { description: 'Labels: an object of names and texts.' })
  labels!: Readonly<Record<string, string>>;

  @Field(() => DateTime, { nullable: true, description: 'When it last sent events; null before the first time.' })
  lastHeardAt!: Date | null;

  @Field(() => DateTime, { description: 'When it was registered.' })
  createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Since when it is suspended; null while it is not.' })
  suspendedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it is suspended, in the words of whoever did it.' })
  suspendedReason!: string | null;

  @Field(() => Boolean, { description: 'True when a body of events without a signature is refused.' })
  signaturesRequired!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Events that it may post per second in the long run, a minute of them at once; null for the default of the service.',
  })
  eventsPerSecond!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Largest body as sent, in bytes; null for the limit of the service, which holds in any case.',
  })
  maxBodyBytes!: number | null;
}

@InputType({ description: 'A cluster to register.' })
export class RegisterClusterInput {
  @Field(() => String, { description: 'Name: letters, digits, ".", "_" and "-", at most 100; unique.' })
  name!: string;

  @Field(() => Provider, { defaultValue: Provider.KUBERNETES, description: 'Who provides it; decides which problems are possible.' })
  provider!: ValueOf<typeof Provider>;

  @Field(() => String, { nullable: true, description: 'Region, in the words of the provider.' })
  region?: string;

  @Field(() => Json, { nullable: true, description: 'Labels: an object of names and texts.' })
  labels?: unknown;
}

@ObjectType({ description: 'A cluster that was just registered.' })
export class RegisteredCluster {
  @Field(() => Cluster, { description: 'The cluster.' })
  cluster!: Cluster;

  @Field(() => String, { description: 'The token with which it may send its events. It is shown this once.' })
  token!: string;
}
