import { Field, Float, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import { connectionType } from './connection-types.js';
import { IncidentOrderField, IncidentStatus, OrderDirection, Provider, Resolution, Severity } from './enums.js';
import type { ValueOf } from './enums.js';
import { DateTime } from './scalars.js';

@ObjectType({ description: 'An object of a cluster.' })
export class ObjectRef {
  @Field(() => String, { description: 'Kind such as Pod; empty for a line of a log, which has no object.' })
  kind!: string;

  @Field(() => String, { nullable: true, description: 'Namespace; null for an object without one.' })
  namespace!: string | null;

  @Field(() => String, { description: 'Name of the object.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Container of the Pod that is meant; null for the whole object.' })
  container!: string | null;
}

@ObjectType({ description: 'One uninterrupted open period of an incident.' })
export class Episode {
  @Field(() => DateTime, { description: 'When it began.' })
  startedAt!: number;

  @Field(() => DateTime, { nullable: true, description: 'When it ended; null while it lasts.' })
  endedAt!: number | null;

  @Field(() => Resolution, { nullable: true, description: 'Why it ended; null while it lasts.' })
  resolution!: string | null;

  @Field(() => Float, { nullable: true, description: 'How long it took to resolve, in seconds; null while it lasts.' })
  seconds!: number | null;
}

@ObjectType({ description: 'A Kubernetes Event that showed an incident, as of its newest delivery.' })
export class Event {
  @Field(() => ID, { description: 'Identity of the Event in its cluster.' })
  id!: string;

  @Field(() => String, { description: 'Reason such as FailedScheduling; empty for a line of a log.' })
  reason!: string;

  @Field(() => String, { description: 'Text as sent.' })
  message!: string;

  @Field(() => String, { nullable: true, description: 'Normal or Warning as sent, which is no severity; null when unknown.' })
  type!: string | null;

  @Field(() => String, { nullable: true, description: 'Component that reported it; null when unknown.' })
  reporter!: string | null;

  @Field(() => String, { nullable: true, description: 'Node or host of the reporter; null when unknown.' })
  host!: string | null;

  @Field(() => ObjectRef, { description: 'The object that it is about.' })
  object!: ObjectRef;

  @Field(() => Int, { description: 'How many happenings it stands for.' })
  count!: number;

  @Field(() => DateTime, { description: 'Its first happening.' })
  firstSeenAt!: number;

  @Field(() => DateTime, { description: 'Its latest happening.' })
  lastSeenAt!: number;
}

@ObjectType({ description: 'A problem on a subject in a cluster, over time.' })
export class Incident {
  @Field(() => ID, { description: 'Identity of the incident.' })
  id!: string;

  @Field(() => IncidentStatus, { description: 'Where it stands.' })
  status!: string;

  @Field(() => Severity, { description: 'How bad its problem is.' })
  severity!: string;

  @Field(() => ObjectRef, { description: 'What it is about: the workload of a Pod that belongs to one, else the object itself.' })
  subject!: ObjectRef;

  @Field(() => Int, { description: 'How often the problem happened, by the counts of the events; at most 2147483647.' })
  occurrences!: number;

  @Field(() => Int, { description: 'Number of objects that have shown it; one with several failing containers counts once.' })
  affectedCount!: number;

  @Field(() => DateTime, { description: 'The first happening.' })
  firstSeenAt!: number;

  @Field(() => DateTime, { description: 'The latest happening, or when a person reopened it.' })
  lastSeenAt!: number;

  @Field(() => DateTime, { nullable: true, description: 'When its latest episode ended; null while it is open.' })
  resolvedAt!: number | null;

  @Field(() => Resolution, { nullable: true, description: 'Why its latest episode ended; null while it is open.' })
  resolvedBy!: string | null;

  @Field(() => Int, {
    description:
      'Grows with every change by a person and with every change of the status, not with occurrences; give it as "expectedVersion" of a change.',
  })
  version!: number;

  @Field(() => DateTime, { nullable: true, description: 'When it was acknowledged; null unless it is acknowledged.' })
  acknowledgedAt!: number | null;

  @Field(() => String, { nullable: true, description: 'Who acknowledged it; null unless it is acknowledged.' })
  acknowledgedBy!: string | null;

  @Field(() => String, { nullable: true, description: 'Who works on it; null for nobody. It stays when the incident ends.' })
  assignee!: string | null;
}

@InputType({ description: 'An object to look for.' })
export class ObjectRefInput {
  @Field(() => String, { description: 'Kind such as Pod or Deployment.' })
  kind!: string;

  @Field(() => String, { defaultValue: '', description: 'Namespace; leave it out for an object without one.' })
  namespace!: string;

  @Field(() => String, { description: 'Name of the object.' })
  name!: string;
}

@InputType({ description: 'Which incidents to list. All conditions have to hold; an empty list is as if it were left out.' })
export class IncidentFilter {
  @Field(() => [String], { nullable: true, description: 'Names of clusters.' })
  clusters?: string[];

  @Field(() => [String], { nullable: true, description: 'Namespaces of the subject.' })
  namespaces?: string[];

  @Field(() => [String], { nullable: true, description: 'Kinds of the subject, such as Ingress.' })
  kinds?: string[];

  @Field(() => [IncidentStatus], { nullable: true, description: 'Statuses.' })
  statuses?: ValueOf<typeof IncidentStatus>[];

  @Field(() => [Severity], { nullable: true, description: 'Severities.' })
  severities?: ValueOf<typeof Severity>[];

  @Field(() => [ID], { nullable: true, description: 'Ids of problems.' })
  problems?: string[];

  @Field(() => [String], { nullable: true, description: 'Error codes; letter case does not matter.' })
  codes?: string[];

  @Field(() => [Provider], { nullable: true, description: 'Providers whose problem it is.' })
  providers?: ValueOf<typeof Provider>[];

  @Field(() => ObjectRefInput, {
    nullable: true,
    description: 'An object that the incident is about, or that is among its affected objects.',
  })
  subject?: ObjectRefInput;

  @Field(() => DateTime, { nullable: true, description: 'Seen at this time or later.' })
  seenAfter?: number;

  @Field(() => DateTime, { nullable: true, description: 'Seen for the first time before this time.' })
  seenBefore?: number;

  @Field(() => String, {
    nullable: true,
    description: "Words, each of which is in the subject's name or namespace, the problem's id, code or title (of either language).",
  })
  search?: string;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether a silence or a maintenance window covers it now; not for subscriptions, whose time goes on.',
  })
  silenced?: boolean;
}

@InputType({ description: 'Order of a list of incidents.' })
export class IncidentOrder {
  @Field(() => IncidentOrderField, { defaultValue: IncidentOrderField.LAST_SEEN_AT, description: 'What they are ordered by.' })
  field!: ValueOf<typeof IncidentOrderField>;

  @Field(() => OrderDirection, { defaultValue: OrderDirection.DESC, description: 'Which end comes first.' })
  direction!: ValueOf<typeof OrderDirection>;
}

export const IncidentConnection = connectionType(() => Incident, 'Incident', 'incidents');
export const EventConnection = connectionType(() => Event, 'Event', 'events');
