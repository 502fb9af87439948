import { Field, ID, InputType, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { MOST_DAYS, MOST_MINUTES } from '../check-silencing.js';
import { connectionType } from './connection-types.js';
import { Severity } from './enums.js';
import type { ValueOf } from './enums.js';
import { DateTime, Json } from './scalars.js';

/** What can be done with a silence or maintenance window, as it is stored. */
export const SilencingChangeKind = { CREATED: 'CREATED', UPDATED: 'UPDATED', ENDED: 'ENDED' } as const;

registerEnumType(SilencingChangeKind, {
  name: 'SilencingChangeKind',
  description: 'What was done with a silence or maintenance window.',
  valuesMap: {
    CREATED: { description: 'It was created.' },
    UPDATED: { description: 'It was changed.' },
    ENDED: { description: 'It was ended before its time.' },
  },
});

@ObjectType({ description: 'A change of a silence or maintenance window.' })
export class SilencingChange {
  @Field(() => ID, { description: 'Identity of the change.' })
  id!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  at!: number;

  @Field(() => SilencingChangeKind, { description: 'What was done.' })
  kind!: string;

  @Field(() => String, { description: 'Name of who did it.' })
  by!: string;

  @Field(() => Json, { nullable: true, description: 'What was said before; null when it was created.' })
  before!: unknown;

  @Field(() => Json, { description: 'What was said after.' })
  after!: unknown;
}

@ObjectType({ description: 'A stretch of time.' })
export class TimeWindow {
  @Field(() => DateTime, { description: 'When it begins.' })
  startsAt!: number;

  @Field(() => DateTime, { description: 'When it ends.' })
  endsAt!: number;
}

@ObjectType({ isAbstract: true })
class Said {
  @Field(() => ID, { description: 'Identity.' })
  id!: string;

  @Field(() => [String], { description: 'Names of the clusters that it covers, of those that the caller may see; empty for all.' })
  clusters!: readonly string[];

  @Field(() => [String], { description: 'Namespaces of subjects that it covers, of those that the caller may see; empty for all.' })
  namespaces!: readonly string[];

  @Field(() => DateTime, { description: 'From when on it holds.' })
  startsAt!: number;

  @Field(() => String, { description: 'Why.' })
  reason!: string;

  @Field(() => String, { description: 'Name of who created it.' })
  createdBy!: string;

  @Field(() => DateTime, { description: 'When it was created.' })
  createdAt!: number;

  @Field(() => Int, { description: 'Grows with every change; give it as "expectedVersion" of a change.' })
  version!: number;
}

@ObjectType({
  description: 'Word that some incidents are known for a time and need tell nobody. They are counted and listed as all others, and marked.',
})
export class Silence extends Said {
  @Field(() => [ID], { description: 'Ids of the problems that it covers; empty for all.' })
  problems!: readonly string[];

  @Field(() => [Severity], { description: 'Severities that it covers; empty for all.' })
  severities!: readonly string[];

  @Field(() => [String], { description: 'Kinds of subjects that it covers; empty for all.' })
  kinds!: readonly string[];

  @Field(() => [String], { description: 'Names of subjects that it covers; empty for all.' })
  names!: readonly string[];

  @Field(() => DateTime, { description: 'When it ends or ended.' })
  endsAt!: number;
}

@ObjectType({ description: 'When a maintenance window recurs.' })
export class Recurrence {
  @Field(() => String, { description: 'Starts, as a cron expression of five fields.' })
  cron!: string;

  @Field(() => Int, { description: 'How long each takes, in minutes.' })
  durationMinutes!: number;

  @Field(() => String, { description: 'IANA time zone whose clocks the expression speaks of, over daylight saving.' })
  timeZone!: string;
}

@ObjectType({ description: 'Work on clusters or namespaces during which incidents are expected: they are counted and listed, and marked.' })
export class MaintenanceWindow extends Said {
  @Field(() => DateTime, {
    nullable: true,
    description: 'When it ends or ended, for good if it recurs; null when it recurs without an end.',
  })
  endsAt!: number | null;
}

@InputType({ isAbstract: true })
class SaidInput {
  @Field(() => [String], { nullable: true, description: 'Names of clusters, at most 100; all by default.' })
  clusters?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Namespaces of subjects, at most 100; all by default.' })
  namespaces?: string[] | null;

  @Field(() => DateTime, { nullable: true, description: 'From when on it holds; now by default.' })
  startsAt?: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: `When it ends, at most ${MOST_DAYS} days after its start; only what recurs may have no end, or one later than that.`,
  })
  endsAt?: number | null;

  @Field(() => String, { nullable: true, description: 'Why, 1 to 1000 characters; a new one needs it.' })
  reason?: string | null;
}

@InputType({
  description: 'What to silence, until when and why. At least one list has to hold something; what is left out of a change stays as it is.',
})
export class SilenceInput extends SaidInput {
  @Field(() => [ID], { nullable: true, description: 'Ids of problems, at most 100; all by default.' })
  problems?: string[] | null;

  @Field(() => [Severity], { nullable: true, description: 'Severities; all by default.' })
  severities?: ValueOf<typeof Severity>[] | null;

  @Field(() => [String], { nullable: true, description: 'Kinds of subjects, such as Ingress, at most 100; all by default.' })
  kinds?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'Names of subjects, at most 100; all by default.' })
  names?: string[] | null;
}

@InputType({ description: 'When a maintenance window recurs.' })
export class RecurrenceInput {
  @Field(() => String, { description: 'Starts, as a cron expression of five fields such as "0 3 * * SUN".' })
  cron!: string;

  @Field(() => Int, { description: `How long each takes, in minutes, 1 to ${MOST_MINUTES} (seven days).` })
  durationMinutes!: number;

  @Field(() => String, { defaultValue: 'UTC', description: 'IANA time zone such as Europe/Berlin, whose clocks the expression speaks of.' })
  timeZone!: string;
}

@InputType({
  description:
    'Where and when there is maintenance, and why. It names a cluster or a namespace; what is left out of a change stays as it is.',
})
export class MaintenanceWindowInput extends SaidInput {
  @Field(() => RecurrenceInput, { nullable: true, description: 'When it recurs; once from startsAt to endsAt when left out.' })
  recurring?: RecurrenceInput | null;
}

export const SilenceConnection = connectionType(() => Silence, 'Silence', 'silences');
export const MaintenanceWindowConnection = connectionType(() => MaintenanceWindow, 'MaintenanceWindow', 'maintenance windows');
