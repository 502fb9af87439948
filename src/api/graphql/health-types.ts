import { Field, Float, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { DateTime } from './scalars.js';

/** Enum values of the schema, and what they are inside. */
export const ClusterStatus = {
  NEVER_HEARD: 'NEVER_HEARD',
  TALKING: 'TALKING',
  QUIET: 'QUIET',
  SILENT: 'SILENT',
  SUSPENDED: 'SUSPENDED',
} as const;
export const GapReason = { CASEBOOK_AWAY: 'CASEBOOK_AWAY', SUSPENDED: 'SUSPENDED', SILENT: 'SILENT', QUIET: 'QUIET' } as const;
export const AssumedReason = {
  NO_SUCCESS_EVENT: 'NO_SUCCESS_EVENT',
  QUIET_ONLY: 'QUIET_ONLY',
  SUCCESS_OVERDUE: 'SUCCESS_OVERDUE',
  CLUSTER_SILENT: 'CLUSTER_SILENT',
} as const;

registerEnumType(ClusterStatus, {
  name: 'ClusterStatus',
  description: 'How a cluster is doing, by what is heard of it.',
  valuesMap: {
    NEVER_HEARD: { description: 'No event has ever come from it.' },
    TALKING: { description: 'An event came within the last five minutes.' },
    QUIET: {
      description:
        'No event came for five minutes or more, which is not long enough to tell anything, or the watch over it shows that nothing happens.',
    },
    SILENT: { description: 'It has said nothing for longer than it may: no events is not health.' },
    SUSPENDED: { description: 'It was suspended: nothing is taken from it.' },
  },
});
registerEnumType(GapReason, {
  name: 'GapReason',
  description: 'Why nothing was heard of a cluster for a time.',
  valuesMap: {
    CASEBOOK_AWAY: { description: 'Casebook itself was not there to listen.' },
    SUSPENDED: { description: 'The cluster is suspended.' },
    SILENT: { description: 'The cluster said nothing for longer than it may; an incident of its own tells of it.' },
    QUIET: { description: 'The cluster said nothing, but not for longer than is usual for it.' },
  },
});
registerEnumType(AssumedReason, {
  name: 'AssumedReason',
  description: 'Why the end of an incident can only be assumed.',
  valuesMap: {
    NO_SUCCESS_EVENT: { description: 'It was ended by quiet: the event that tells of success did not come. Senders drop such events.' },
    QUIET_ONLY: { description: 'It was ended by quiet: for its kind of problem no event tells of success.' },
    SUCCESS_OVERDUE: {
      description: 'It is open, but was not seen for much longer than its success usually takes: the success may have been missed.',
    },
    CLUSTER_SILENT: { description: 'It is open, but its cluster is silent: whether it has ended cannot be told.' },
  },
});

@ObjectType({ description: 'How a cluster is doing, by what is heard of it.' })
export class ClusterHealth {
  @Field(() => ClusterStatus, { description: 'Where it stands.' })
  status!: string;

  @Field(() => DateTime, { nullable: true, description: 'When an event of it last came; null before the first one.' })
  lastHeardAt!: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it becomes, or became, silent if nothing comes; null when that is not judged.',
  })
  silentAt!: number | null;

  @Field(() => Int, { description: 'Length in minutes of the window that the rates and the lag are about; it ends now.' })
  windowMinutes!: number;

  @Field(() => Float, { description: 'Events a minute that were new or had grown, in the window.' })
  eventsPerMinute!: number;

  @Field(() => Float, { description: 'All events sent a minute, repeats included, in the window.' })
  receivedPerMinute!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'How late half of the new and grown events of the window came at most, in seconds, rounded up to 1, 2, 5, 10, 30 s, 1, 2, 5, 15 min, 1, 6 or 24 h (24 h also stands for more); null without any.',
  })
  lagMedianSeconds!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'How late 95 in 100 of them came at most, in seconds, rounded up in the same way; null without any.',
  })
  lag95Seconds!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Its usual longest pause in seconds: the third longest of the last seven days. Null when it does not pause for a minute.',
  })
  usualPauseSeconds!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Its own setting for when it is silent: "auto", "off", or a number of seconds such as "900s"; null for as the service is set.',
  })
  silenceAfter!: string | null;

  @Field(() => Boolean, {
    description: 'Whether Casebook reads its events itself, so that a working watch shows that it is well however little happens.',
  })
  watched!: boolean;
}

@ObjectType({ description: 'A time of ten minutes or more in which nothing was heard of a cluster.' })
export class Gap {
  @Field(() => DateTime, { description: 'When the last event before it came.' })
  from!: number;

  @Field(() => DateTime, { nullable: true, description: 'When the next event came; null while it lasts.' })
  until!: number | null;

  @Field(() => GapReason, { description: 'Why nothing was heard.' })
  reason!: string;
}

@ObjectType({ description: 'An end of an incident that nobody told of.' })
export class AssumedEnd {
  @Field(() => AssumedReason, { description: 'Why it can only be assumed.' })
  reason!: string;

  @Field(() => DateTime, { description: 'Since when: the assumed end, or the moment from which on nothing more is known.' })
  since!: number;

  @Field(() => String, { description: 'The same in one sentence (English).' })
  text!: string;
}
