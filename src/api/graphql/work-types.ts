import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import { connectionType } from './connection-types.js';
import { IncidentStatus, Resolution } from './enums.js';
import { Incident } from './incident-types.js';
import { DateTime } from './scalars.js';

/** What the history of an incident tells, as it is stored. */
export const IncidentHistoryKind = {
  OPENED: 'OPENED',
  REOPENED: 'REOPENED',
  RESOLVED: 'RESOLVED',
  ACKNOWLEDGED: 'ACKNOWLEDGED',
  UNACKNOWLEDGED: 'UNACKNOWLEDGED',
  ASSIGNED: 'ASSIGNED',
  COMMENTED: 'COMMENTED',
} as const;

registerEnumType(IncidentHistoryKind, {
  name: 'IncidentHistoryKind',
  description: 'What happened to an incident, by a person or by its events.',
  valuesMap: {
    OPENED: { description: 'Its problem showed for the first time.' },
    REOPENED: { description: 'Its problem showed again after it was resolved, or a person reopened it.' },
    RESOLVED: { description: 'It ended, by itself or by a person.' },
    ACKNOWLEDGED: { description: 'A person took it in hand.' },
    UNACKNOWLEDGED: { description: 'A person took the acknowledgement back.' },
    ASSIGNED: { description: 'A person gave it to somebody, or to nobody.' },
    COMMENTED: { description: 'A person wrote a comment.' },
  },
});

@ObjectType({ description: 'The part of an incident that people change, as it stood at a moment.' })
export class IncidentWorkState {
  @Field(() => IncidentStatus, { description: 'Where it stood.' })
  status!: string;

  @Field(() => String, { nullable: true, description: 'Who had acknowledged it; null for nobody.' })
  acknowledgedBy!: string | null;

  @Field(() => String, { nullable: true, description: 'Who worked on it; null for nobody.' })
  assignee!: string | null;
}

@ObjectType({ description: 'Something that happened to an incident.' })
export class IncidentHistoryEntry {
  @Field(() => ID, { description: 'Identity of the entry, within the history of its incident.' })
  key!: string;

  @Field(() => DateTime, { description: 'When it happened; what events tell happened when they say, not when they came.' })
  at!: number;

  @Field(() => IncidentHistoryKind, { description: 'What happened.' })
  kind!: string;

  @Field(() => String, { nullable: true, description: 'Name of the person who did it; null for what events tell.' })
  by!: string | null;

  @Field(() => String, { nullable: true, description: 'The comment, or the reason that the person gave.' })
  text!: string | null;

  @Field(() => Resolution, { nullable: true, description: 'Why it ended; null unless it ended.' })
  resolution!: string | null;

  @Field(() => IncidentWorkState, { nullable: true, description: 'How it stood before a person changed it; null for what events tell.' })
  before!: IncidentWorkState | null;

  @Field(() => IncidentWorkState, { nullable: true, description: 'How it stood after a person changed it; null for what events tell.' })
  after!: IncidentWorkState | null;
}

@ObjectType({ description: 'What became of one incident in a change of several.' })
export class IncidentOutcome {
  @Field(() => ID, { description: 'Id as it was given.' })
  id!: string;

  @Field(() => Incident, { nullable: true, description: 'The incident after the change; null when it was refused.' })
  incident!: Incident | null;

  @Field(() => String, { nullable: true, description: 'Code of the refusal, such as CONFLICT or NOT_FOUND; null when it was done.' })
  code!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused; null when it was done.' })
  message!: string | null;
}

export const IncidentHistoryConnection = connectionType(() => IncidentHistoryEntry, 'IncidentHistoryEntry', 'what happened to an incident');
