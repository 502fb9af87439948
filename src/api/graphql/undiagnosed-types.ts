import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTime } from './scalars.js';

@ObjectType({ description: 'How a pattern that no problem explains shows in one cluster.' })
export class UndiagnosedInCluster {
  @Field(() => String, { description: 'Name of the cluster.' })
  cluster!: string;

  @Field(() => Float, { description: 'Happenings in it.' })
  occurrences!: number;

  @Field(() => Int, { description: 'Event objects in it.' })
  events!: number;

  @Field(() => DateTime, { description: 'First happening there that is still counted.' })
  firstSeenAt!: number;

  @Field(() => DateTime, { description: 'Latest happening there.' })
  lastSeenAt!: number;
}

@ObjectType({ description: 'One of the events of a pattern that no problem explains.' })
export class UndiagnosedSample {
  @Field(() => String, { description: 'Name of its cluster.' })
  cluster!: string;

  @Field(() => String, { description: 'Namespace of its object; empty when that belongs to none.' })
  namespace!: string;

  @Field(() => String, { description: 'Name of its object.' })
  name!: string;

  @Field(() => String, { description: 'Container that it names; empty for none.' })
  container!: string;

  @Field(() => String, { description: 'Normal or Warning; empty when the sender did not say.' })
  type!: string;

  @Field(() => String, { description: 'Its message with secrets taken out, at most 1,000 characters.' })
  message!: string;

  @Field(() => DateTime, { description: 'When it was last seen.' })
  at!: number;
}

@ObjectType({ description: 'Messages of failures that no problem explains, grouped by what they have in common.' })
export class UndiagnosedPattern {
  @Field(() => ID, {
    description:
      'Hash of kind, reporter, reason and template, the same in every cluster and for ever; "overflow" for what is counted together.',
  })
  id!: string;

  @Field(() => String, {
    description:
      'The message with {placeholders} for what differs from one to the next; literal braces are doubled. Empty where overflow is true.',
  })
  template!: string;

  @Field(() => String, { description: 'Kind of the objects; empty for lines of logs.' })
  kind!: string;

  @Field(() => String, { description: 'Component that reports it; empty when the sender does not say.' })
  reporter!: string;

  @Field(() => String, { description: 'Reason of the events; empty for lines of logs.' })
  reason!: string;

  @Field(() => Boolean, {
    description:
      'True for everything that came after the last of 1,000 places of a cluster was taken: counted, not told apart, without samples.',
  })
  overflow!: boolean;

  @Field(() => Float, { description: 'Happenings, by the counts of the events: a repeated delivery adds nothing.' })
  occurrences!: number;

  @Field(() => Int, { description: 'Event objects.' })
  events!: number;

  @Field(() => DateTime, { description: 'First happening that is still counted.' })
  firstSeenAt!: number;

  @Field(() => DateTime, { description: 'Latest happening.' })
  lastSeenAt!: number;

  @Field(() => [UndiagnosedInCluster], { description: 'The same in each cluster, the most occurrences first, at most 100.' })
  clusters!: UndiagnosedInCluster[];

  @Field(() => [String], { description: 'Namespaces of the objects, in order, at most 100.' })
  namespaces!: string[];

  @Field(() => [UndiagnosedSample], { description: 'At most five of the events, with different messages.' })
  samples!: UndiagnosedSample[];

  @Field(() => String, {
    nullable: true,
    description: 'A problem file in YAML to fill in, with a rule that fits the samples; null where overflow is true.',
  })
  skeleton!: string | null;

  @Field(() => String, { description: 'Cursor after which the next page goes on.' })
  cursor!: string;
}
