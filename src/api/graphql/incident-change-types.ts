import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import { IncidentStatus, Severity } from './enums.js';
import { Incident } from './incident-types.js';
import { DateTime } from './scalars.js';

/** What can happen to an incident, as it is stored. */
export const IncidentChangeKind = {
  OPENED: 'OPENED',
  REOPENED: 'REOPENED',
  RESOLVED: 'RESOLVED',
  ACKNOWLEDGED: 'ACKNOWLEDGED',
  UPDATED: 'UPDATED',
  ASSIGNED: 'ASSIGNED',
  COMMENTED: 'COMMENTED',
} as const;

registerEnumType(IncidentChangeKind, {
  name: 'IncidentChangeKind',
  description: 'What happened to an incident.',
  valuesMap: {
    OPENED: { description: 'It was seen for the first time.' },
    REOPENED: { description: 'It had been resolved, and its problem was seen again.' },
    RESOLVED: { description: 'It ended, or went into another one.' },
    ACKNOWLEDGED: { description: 'A person took it in hand.' },
    UPDATED: {
      description: 'Something else of it changed: its severity or diagnosis, or it grew, which is told at most every few seconds.',
    },
    ASSIGNED: { description: 'It was given to somebody.' },
    COMMENTED: { description: 'Somebody wrote a comment.' },
  },
});

@ObjectType({ description: 'A change of an incident.' })
export class IncidentChange {
  @Field(() => String, { description: 'Place of the change in the sequence of all changes; give it as "after" to go on from here.' })
  cursor!: string;

  @Field(() => DateTime, { description: 'When it was made, by the clock of the database.' })
  at!: number;

  @Field(() => IncidentChangeKind, { description: 'What happened.' })
  kind!: string;

  @Field(() => IncidentStatus, { nullable: true, description: 'Status before the change; null when the incident did not exist.' })
  statusBefore!: string | null;

  @Field(() => IncidentStatus, { description: 'Status after the change.' })
  status!: string;

  @Field(() => Severity, { nullable: true, description: 'Severity before the change; null when the incident did not exist.' })
  severityBefore!: string | null;

  @Field(() => Severity, { description: 'Severity after the change.' })
  severity!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Id of the incident that it went into, because its objects turned out to be those of another workload: it is RESOLVED and exists no more. Else null.',
  })
  mergedInto!: string | null;

  @Field(() => Incident, { description: 'The incident as it is when the change is delivered, which may be later than the change.' })
  incident!: Incident;
}
