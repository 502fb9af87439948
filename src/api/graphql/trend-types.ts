import { Field, Float, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import { Provider, Severity } from './enums.js';
import type { ValueOf } from './enums.js';
import { Bucket, TrendDimension } from './history-enums.js';
import { HistoryBucket, PeriodBefore, Sums } from './history-types.js';
import { DateTime } from './scalars.js';

@InputType({
  description: 'Which happenings to sum up. All conditions have to hold; an empty list is as if it were left out; at most 500 values each.',
})
export class TrendFilter {
  @Field(() => [String], { nullable: true, description: 'Names of clusters.' })
  clusters?: string[];

  @Field(() => [Provider], { nullable: true, description: 'Providers of the clusters.' })
  clusterProviders?: ValueOf<typeof Provider>[];

  @Field(() => [String], { nullable: true, description: 'Regions of the clusters.' })
  regions?: string[];

  @Field(() => [String], { nullable: true, description: 'Namespaces; an empty text is for objects without one.' })
  namespaces?: string[];

  @Field(() => [ID], { nullable: true, description: 'Ids of problems.' })
  problems?: string[];

  @Field(() => [String], { nullable: true, description: 'Error codes of the problems; letter case does not matter.' })
  codes?: string[];

  @Field(() => [String], { nullable: true, description: 'Areas of the problems, such as ingress.' })
  areas?: string[];

  @Field(() => [Severity], { nullable: true, description: 'Severities of the problems, by the knowledge base of today.' })
  severities?: ValueOf<typeof Severity>[];

  @Field(() => [Provider], { nullable: true, description: 'Providers whose problems they are.' })
  providers?: ValueOf<typeof Provider>[];
}

@ObjectType({ description: 'The value of one dimension that a group is told apart by.' })
export class TrendKey {
  @Field(() => TrendDimension, { description: 'The dimension.' })
  dimension!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Its value, such as a name, an id, or the word of an enum in capitals; null where there is none or it is not known.',
  })
  value!: string | null;
}

/** What is told of a group, and of all groups together. */
@ObjectType({ isAbstract: true })
export abstract class TrendSums extends Sums {
  @Field(() => Int, { description: 'Incidents that were open at the end of the range; now, if that lies ahead.' })
  openAtEnd!: number;

  @Field(() => PeriodBefore, { description: 'The period before, for comparison.' })
  previous!: PeriodBefore;

  @Field(() => Float, {
    nullable: true,
    description:
      'How much more occurrences there are than in the period before, as a part of those: 0.5 is half as many again. Null when there were none.',
  })
  change!: number | null;

  @Field(() => [HistoryBucket], { description: 'Every bucket of the range, in order.' })
  points!: HistoryBucket[];
}

@ObjectType({ description: 'What happened in a group over time.' })
export class TrendGroup extends TrendSums {
  @Field(() => [TrendKey], { description: 'What the group is told apart by, in the order of groupBy; empty without groupBy.' })
  key!: TrendKey[];
}

@ObjectType({ description: 'What happened in all groups together over time, also in those that are not listed.' })
export class TrendTotal extends TrendSums {}

@ObjectType({ description: 'A group that changed against the period before by more than chance explains.' })
export class TrendMover {
  @Field(() => [TrendKey], { description: 'What the group is told apart by, in the order of groupBy.' })
  key!: TrendKey[];

  @Field(() => Float, { description: 'The measure in the range; a whole number.' })
  now!: number;

  @Field(() => Float, { description: 'The measure in the period before; a whole number.' })
  before!: number;

  @Field(() => Float, {
    description:
      'How strong the change is: (now - before) / sqrt(now + before), the difference in units of what chance makes of it. At least 2, or at most -2.',
  })
  score!: number;

  @Field(() => Float, { nullable: true, description: 'The change as a part of before; null when there was nothing before.' })
  change!: number | null;
}

@ObjectType({ description: 'What happened over time, summed up by groups and buckets.' })
export class Trend {
  @Field(() => DateTime, { description: 'Start of the first bucket.' })
  from!: number;

  @Field(() => DateTime, { description: 'End of the last bucket, which may lie ahead.' })
  to!: number;

  @Field(() => Bucket, { description: 'Length of the buckets.' })
  bucket!: string;

  @Field(() => String, { description: 'Time zone that the buckets follow.' })
  timeZone!: string;

  @Field(() => [TrendDimension], { description: 'What groups are told apart by.' })
  groupBy!: string[];
}

@ObjectType({ description: 'A cluster that a spreading problem came to.' })
export class SpreadStep {
  @Field(() => String, { description: 'Name of the cluster.' })
  cluster!: string;

  @Field(() => DateTime, { description: 'Start of the first incident there, after at least the length of the window without any.' })
  arrivedAt!: number;
}

@ObjectType({ description: 'A problem that came to several clusters within a window of time.' })
export class Spread {
  @Field(() => ID, { description: 'Id of the problem.' })
  problemId!: string;

  @Field(() => DateTime, { description: 'When it came to the first of the clusters.' })
  since!: number;

  @Field(() => DateTime, { description: 'When it came to the last of them.' })
  until!: number;

  @Field(() => [SpreadStep], { description: 'The clusters in the order in which it came to them.' })
  clusters!: SpreadStep[];
}
