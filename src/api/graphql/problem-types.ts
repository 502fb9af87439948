import { Field, Float, ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionType } from './connection-types.js';
import { Provider, Risk, Severity } from './enums.js';
import { Json } from './scalars.js';

@ObjectType({ description: 'How to find out whether a cause is the one.' })
export class Check {
  @Field(() => String, { nullable: true, description: 'Command to run; null when there is none.' })
  run!: string | undefined;

  @Field(() => String, { description: 'What to look at, and which outcome confirms the cause.' })
  look!: string;
}

@ObjectType({ description: 'A way to fix a cause.' })
export class Remedy {
  @Field(() => String, { description: 'What to do.' })
  text!: string;
}

@ObjectType({ description: 'A reason that a problem can have.' })
export class Cause {
  @Field(() => String, { description: 'The cause in one or two sentences.' })
  text!: string;

  @Field(() => [Check], { description: 'How to find out whether it is this one.' })
  checks!: Check[];

  @Field(() => [Remedy], { description: 'How to fix it.' })
  remedies!: Remedy[];
}

@ObjectType({ description: 'A page elsewhere that tells more.' })
export class Reference {
  @Field(() => String, { description: 'Title of the page.' })
  title!: string;

  @Field(() => String, { description: 'Address of the page.' })
  url!: string;
}

@ObjectType({ description: 'One known, diagnosable condition: an entry of the knowledge base.' })
export class Problem {
  @Field(() => ID, { description: 'Id such as tke/ingress/E4011.' })
  id!: string;

  @Field(() => Provider, { description: 'Whose problem it is.' })
  provider!: string;

  @Field(() => String, { description: 'Area of the knowledge base, such as ingress.' })
  area!: string;

  @Field(() => String, { nullable: true, description: 'Error code that it is known by.' })
  code!: string | undefined;

  @Field(() => [String], { description: 'Kinds of object that it shows on; "*" is any.' })
  objectKinds!: string[];

  @Field(() => Severity, { description: 'How bad it is.' })
  severity!: string;

  @Field(() => Risk, { nullable: true, description: 'Class of what happens if nobody acts, where the vendor states one.' })
  risk!: string | undefined;

  @Field(() => Boolean, { description: 'True when the sender retries and it usually passes by itself.' })
  transient!: boolean;

  @Field(() => String, { nullable: true, description: 'Team that has to act where the user cannot.' })
  escalateTo!: string | undefined;

  @Field(() => [Reference], { description: 'Pages elsewhere that tell more.' })
  references!: Reference[];
}

@ObjectType({ description: 'A problem recognised in an event, with the reason.' })
export class Diagnosis {
  @Field(() => ID, { description: 'Id of the problem.' })
  problemId!: string;

  @Field(() => Float, { description: 'How sure it is, from 0 to 1.' })
  confidence!: number;

  @Field(() => String, { description: 'What decided, such as: code E4011 on Ingress.' })
  matchedOn!: string;

  @Field(() => Json, { description: 'What was taken out of the text: an object of names and texts.' })
  captured!: Record<string, string>;
}

@ObjectType({ description: 'What one event shows.' })
export class EventDiagnosis {
  @Field(() => Int, { description: 'Position of the event among those that were given, from 0; the items of a list count each.' })
  index!: number;

  @Field(() => [Diagnosis], { description: 'The problems that it shows, best first; empty when none is known.' })
  diagnoses!: Diagnosis[];

  @Field(() => String, { nullable: true, description: 'Why the element is not an event; null when it is one.' })
  rejected!: string | null;
}

export const ProblemConnection = connectionType(() => Problem, 'Problem', 'problems');
