import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import { Bucket } from './history-enums.js';
import { DateTime } from './scalars.js';

/** What every sum of happenings tells. */
@ObjectType({ isAbstract: true })
export abstract class Sums {
  @Field(() => Float, {
    nullable: true,
    description:
      'How often it happened, by the counts of events, each at the time of the delivery that told of it; a whole number. Null by status.',
  })
  occurrences!: number | null;

  @Field(() => Int, { description: 'Periods of incidents that began: opened and opened again.' })
  episodes!: number;

  @Field(() => Int, { description: 'Incidents that began for the first time.' })
  opened!: number;

  @Field(() => Int, { description: 'Incidents that began again after they had been resolved.' })
  reopened!: number;

  @Field(() => Int, { description: 'Periods of incidents that ended.' })
  resolved!: number;

  @Field(() => Float, { nullable: true, description: 'Mean time to resolve of those that ended, in seconds; null when none did.' })
  meanSecondsToResolve!: number | null;
}

@ObjectType({ description: 'What happened in the period before a range: as many buckets, right before it.' })
export class PeriodBefore extends Sums {
  @Field(() => DateTime, { description: 'Its start.' })
  from!: number;

  @Field(() => DateTime, { description: 'Its end, which is the start of the range.' })
  to!: number;
}

@ObjectType({ description: 'What happened in one bucket.' })
export class HistoryBucket extends Sums {
  @Field(() => DateTime, { description: 'Its start.' })
  from!: number;

  @Field(() => DateTime, { description: 'Its end, which is not part of it.' })
  to!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Incidents that were open at its end; in a bucket that is not over, that are open now.',
  })
  open!: number | null;
}

@ObjectType({ description: 'How long it took from the start of a period of an incident to its end, in seconds.' })
export class TimeToResolve {
  @Field(() => Int, {
    description:
      'Periods that ended in the range and were looked at: all of them, or the latest 100,000 of the answer when there are more.',
  })
  counted!: number;

  @Field(() => Float, { description: 'Half of them took no longer.' })
  median!: number;

  @Field(() => Float, { description: 'Nine of ten took no longer.' })
  p90!: number;
}

/** What a history tells of everything, and of one cluster. */
@ObjectType({ isAbstract: true })
export abstract class HistoryPart extends Sums {
  @Field(() => PeriodBefore, { description: 'The period before, for comparison.' })
  previous!: PeriodBefore;

  @Field(() => Float, {
    nullable: true,
    description:
      'How much more occurrences there are than in the period before, as a part of those: 0.5 is half as many again, -1 none any more. Null when there were none.',
  })
  change!: number | null;

  @Field(() => [HistoryBucket], { description: 'Every bucket of the range, in order, those in which nothing happened included.' })
  buckets!: HistoryBucket[];
}

@ObjectType({ description: 'A history in one cluster.' })
export class ClusterHistory extends HistoryPart {
  @Field(() => String, { description: 'Name of the cluster.' })
  cluster!: string;
}

/** A history with its range. */
@ObjectType({ isAbstract: true })
export abstract class RangedHistory extends HistoryPart {
  @Field(() => DateTime, { description: 'Start of the first bucket.' })
  from!: number;

  @Field(() => DateTime, { description: 'End of the last bucket, which may lie ahead.' })
  to!: number;

  @Field(() => Bucket, { description: 'Length of the buckets.' })
  bucket!: string;

  @Field(() => String, { description: 'Time zone that the buckets follow.' })
  timeZone!: string;
}

@ObjectType({ description: 'What happened over time to a problem, a subject or a namespace.' })
export class History extends RangedHistory {}

@ObjectType({ description: 'What happened over time with an error code.' })
export class ErrorCodeHistory extends RangedHistory {
  @Field(() => String, { description: 'The code, in capitals.' })
  code!: string;

  @Field(() => Boolean, {
    description: 'Whether the knowledge base holds a problem with that code, of that kind and provider; else there is nothing to sum up.',
  })
  known!: boolean;

  @Field(() => [ID], { description: 'Ids of the problems that the code stands for, whose happenings are summed up.' })
  problemIds!: string[];
}
