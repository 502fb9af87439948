import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { connectionType } from './connection-types.js';
import { DateTime } from './scalars.js';

@ObjectType({
  description: 'Input of a sender that was refused. Alike ones of one hour (same reason, sender and kind of input) are one row.',
})
export class RejectedInput {
  @Field(() => ID, { description: 'Identity of the row.' })
  id!: string;

  @Field(() => String, { description: 'Name of the cluster that it was sent to, registered or not, or that it was read from by a watch.' })
  cluster!: string;

  @Field(() => DateTime, { description: 'When the first one came.' })
  firstAt!: number;

  @Field(() => DateTime, { description: 'When the latest one came.' })
  lastAt!: number;

  @Field(() => Int, { description: 'How many came.' })
  count!: number;

  @Field(() => String, {
    description:
      'Why in one word: BAD_ELEMENT for an element of a body that was taken otherwise, else the error code that the sender was answered.',
  })
  code!: string;

  @Field(() => String, { description: 'Why, as the sender was told of the first one.' })
  reason!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'Position of the first refused element in its body, from 0; null when the whole body was refused.',
  })
  element!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Format that the sender asked for, or its Content-Type; null when it said neither. watch for what a watch of Casebook read.',
  })
  format!: string | null;

  @Field(() => Int, { description: 'Size of the first body as sent, in bytes; 0 when it is not known, as for what a watch read.' })
  bytes!: number;

  @Field(() => String, {
    description:
      'Address that it came from: of the sender, or of the proxy before Casebook, or of the API server that a watch read it from.',
  })
  address!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the sender calls itself (User-Agent), casebook watch for a watch of Casebook; null when it does not say.',
  })
  userAgent!: string | null;

  @Field(() => String, {
    description:
      'Whose token it came with, never the token: none, unknown, the id of a user such as admin-token, or the id of a token of a cluster.',
  })
  token!: string;

  @Field(() => String, {
    description: 'Beginning of the first one as text, at most 512 bytes, with secrets taken out; empty when nothing was read of it.',
  })
  sample!: string;
}

export const RejectedInputConnection = connectionType(() => RejectedInput, 'RejectedInput', 'refused input');
