import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';

@InputType({ description: 'A file of edited knowledge.' })
export class KnowledgeFileInput {
  @Field(() => String, { description: 'Path inside the knowledge folder, such as kubernetes/widget/stuck.yaml.' })
  path!: string;

  @Field(() => String, { nullable: true, description: 'Its text in YAML; null when the file is taken away.' })
  text?: string | null;
}

/** What edited knowledge does to incidents, as the schema calls it. */
export const ReplayEffect = {
  OPENS: 'OPENS',
  REOPENS: 'REOPENS',
  CLOSES: 'CLOSES',
  CHANGES: 'CHANGES',
  LOSES: 'LOSES',
} as const;
registerEnumType(ReplayEffect, {
  name: 'ReplayEffect',
  description: 'What edited knowledge would do to incidents.',
  valuesMap: {
    OPENS: { description: 'An incident where there is none: its events show a problem that they do not show now.' },
    REOPENS: { description: 'The incident has ended, and would be open.' },
    CLOSES: { description: 'The incident is open, and would have ended.' },
    CHANGES: { description: 'The events of the incident would show another problem.' },
    LOSES: { description: 'The events of the incident would show no problem any more.' },
  },
});

@ObjectType({ description: 'Changed incidents of one cluster.' })
export class ReplayInCluster {
  @Field(() => String, { description: 'Name of the cluster.' })
  cluster!: string;

  @Field(() => Int, { description: 'Incidents in it.' })
  incidents!: number;
}

@ObjectType({ description: 'One of the incidents that would change.' })
export class ReplaySample {
  @Field(() => String, { description: 'Name of its cluster.' })
  cluster!: string;

  @Field(() => String, { description: 'Kind of its subject.' })
  kind!: string;

  @Field(() => String, { description: 'Namespace of its subject; empty when that belongs to none.' })
  namespace!: string;

  @Field(() => String, { description: 'Name of its subject.' })
  name!: string;

  @Field(() => String, { description: 'Message of one of its events, at most 500 characters.' })
  message!: string;
}

@ObjectType({ description: 'Incidents that edited knowledge would change in the same way.' })
export class ReplayChange {
  @Field(() => ReplayEffect, { description: 'What would happen to them.' })
  effect!: keyof typeof ReplayEffect;

  @Field(() => ID, { nullable: true, description: 'Id of their problem under the knowledge of now; null for OPENS.' })
  problem!: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of their problem under the edited knowledge; null for LOSES.' })
  becomes!: string | null;

  @Field(() => Int, { description: 'How many incidents.' })
  incidents!: number;

  @Field(() => Int, { description: 'How many of them are open: now, or for OPENS and REOPENS under the edited knowledge.' })
  open!: number;

  @Field(() => Int, { description: 'Event objects of theirs in the range.' })
  events!: number;

  @Field(() => [ReplayInCluster], { description: 'The same by cluster, the most incidents first.' })
  clusters!: ReplayInCluster[];

  @Field(() => [ReplaySample], { description: 'At most five of the incidents.' })
  samples!: ReplaySample[];
}

@ObjectType({ description: 'What edited knowledge would do, found by running it over stored events. Nothing was written.' })
export class Replay {
  @Field(() => Int, { description: 'Events that were looked at.' })
  events!: number;

  @Field(() => Boolean, {
    description:
      'False when the range holds more than 100,000 events, or 50 million characters of messages, or 20 seconds were not enough: then the answer is about a part of it.',
  })
  complete!: boolean;

  @Field(() => [ID], { description: 'Ids of problems that the edited knowledge adds.' })
  problemsAdded!: string[];

  @Field(() => [ID], { description: 'Ids of problems that it takes away.' })
  problemsRemoved!: string[];

  @Field(() => [ReplayChange], { description: 'What would change, the most incidents first; empty when nothing would.' })
  changes!: ReplayChange[];

  @Field(() => Float, { description: 'How long it took, in seconds.' })
  seconds!: number;
}
