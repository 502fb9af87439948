import { createUnionType, Field, ID, ObjectType } from '@nestjs/graphql';
import type { Guide as KnownGuide, Problem as KnownProblem } from '../../knowledge/problem.js';
import type { GuideStep as KnownStep, GuideOutcome as KnownOutcome } from '../../knowledge/guide-file.js';
import { connectionType } from './connection-types.js';
import { Problem, Reference } from './problem-types.js';
import { ProblemRelationKind } from './reference-enums.js';

/** A step with the guide that it belongs to. */
export interface StepToShow extends KnownStep {
  guide: KnownGuide;
}

/** An outcome of a step, with the guide whose steps it may lead to. */
export interface OutcomeToShow extends KnownOutcome {
  guide: KnownGuide;
}

@ObjectType({ description: 'Versions of a component that a guide turns on.' })
export class GuideVersion {
  @Field(() => String, { description: 'Name of the component.' })
  component!: string;

  @Field(() => [String], { description: 'First sound version of each line of versions.' })
  fixedIn!: string[];
}

@ObjectType({ description: 'A troubleshooting article of ordered checks: a decision tree from a symptom to a cause.' })
export class Guide {
  @Field(() => ID, { description: 'Id such as guide/node-disk-full.' })
  id!: string;

  @Field(() => [GuideVersion], { description: 'Versions that it turns on; mostly none.' })
  versions!: GuideVersion[];

  @Field(() => [Reference], { description: 'Pages elsewhere that tell more.' })
  references!: Reference[];
}

@ObjectType({ description: 'One check of a guide with all its outcomes.' })
export class GuideStep {
  @Field(() => ID, { description: 'Name of the step, unique in its guide.' })
  id!: string;

  @Field(() => [String], { description: 'Commands in their order; names in <angle brackets> are for the reader to fill in.' })
  run!: string[];
}

@ObjectType({ description: 'What one result of a check means, and what follows.' })
export class GuideOutcome {}

/** Where an outcome leads. */
export const GuideLead = createUnionType({
  name: 'GuideLead',
  description:
    'Where an outcome of a check leads: to another step of the guide, to the problem that is thereby found, or to another guide.',
  types: () => [GuideStep, Problem, Guide] as const,
  resolveType: (value: StepToShow | KnownProblem | KnownGuide) => ('outcomes' in value ? GuideStep : 'steps' in value ? Guide : Problem),
});

@ObjectType({ description: 'A problem that has to do with another one, and in which direction.' })
export class ProblemRelation {
  @Field(() => Problem, { description: 'The other problem.' })
  problem!: Problem;

  @Field(() => ProblemRelationKind, { description: 'What the other problem is to this one.' })
  as!: string;
}

export const GuideConnection = connectionType(() => Guide, 'Guide', 'guides');
