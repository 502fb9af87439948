import { Field, ID, InputType, ObjectType, registerEnumType } from '@nestjs/graphql';
import { connectionType } from './connection-types.js';
import type { ValueOf } from './enums.js';
import { DateTime, Json } from './scalars.js';

/** Values of the enum Role. */
export const Role = { VIEWER: 'viewer', OPERATOR: 'operator', ADMIN: 'admin' } as const;

registerEnumType(Role, {
  name: 'Role',
  description: 'What somebody may do within their scope; each may do what the one before may.',
  valuesMap: {
    VIEWER: { description: 'Read everything but what is for admins.' },
    OPERATOR: { description: 'Work on incidents: acknowledge, assign, comment, resolve, silence.' },
    ADMIN: { description: 'Look after clusters, tokens, watches and refused input, and read the audit log.' },
  },
});

/** Values of the enum AuditOutcome. */
export const AuditOutcome = { DONE: 'done', REFUSED: 'refused' } as const;

registerEnumType(AuditOutcome, {
  name: 'AuditOutcome',
  description: 'What became of an action in the audit log.',
  valuesMap: {
    DONE: { description: 'It was done.' },
    REFUSED: { description: 'The role of the caller does not allow it; the same refusal is noted once a minute at most.' },
  },
});

@ObjectType({ description: 'A token of a person or program. The token itself is never shown again.' })
export class ApiToken {
  @Field(() => ID, { description: 'Number by which it can be revoked.' })
  id!: number;

  @Field(() => String, { description: 'What it is for, in the words of whoever made it.' })
  name!: string;

  @Field(() => Role, { description: 'What it allows.' })
  role!: string;

  @Field(() => [String], { nullable: true, description: 'Names of the clusters that it may see; null for all.' })
  clusters!: readonly string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Namespaces that it may see; null for all, and for what belongs to no namespace.',
  })
  namespaces!: readonly string[] | null;

  @Field(() => String, { description: 'Who made it: "admin-token", "token:" and a number, "oidc:" and a subject, or "anonymous".' })
  createdBy!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it stops or stopped being valid; null when it is valid until it is revoked.',
  })
  expiresAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was last used, to the minute; null before the first time.' })
  lastUsedAt!: Date | null;
}

@ObjectType({ description: 'A token that was just made.' })
export class IssuedApiToken {
  @Field(() => String, { description: 'The token. It is shown this once.' })
  token!: string;

  @Field(() => ApiToken, { description: 'What will be shown of it from now on.' })
  issued!: ApiToken;
}

@InputType({ description: 'A token to make. It cannot allow more than whoever makes it may do.' })
export class CreateApiTokenInput {
  @Field(() => String, { description: 'What it is for, at most 100 characters.' })
  name!: string;

  @Field(() => Role, { description: 'What it allows.' })
  role!: ValueOf<typeof Role>;

  @Field(() => [String], { nullable: true, description: 'Names of the clusters that it may see, at most 200; all by default.' })
  clusters?: string[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Namespaces that it may see, at most 200; all by default, with what belongs to no namespace. Not for admins.',
  })
  namespaces?: string[] | null;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it stops being valid, at most ten years from now; by default it is valid until it is revoked.',
  })
  expiresAt?: number | null;
}

@ObjectType({ description: 'Who changed something of the administration, or tried to. Entries are never changed.' })
export class AuditEntry {
  @Field(() => ID, { description: 'Number of the entry; later ones have larger ones.' })
  id!: string;

  @Field(() => DateTime, { description: 'When it was written.' })
  at!: Date;

  @Field(() => String, { description: 'Who: "admin-token", "token:" and a number, "oidc:" and a subject, or "anonymous".' })
  actor!: string;

  @Field(() => String, { description: 'Their name, for people.' })
  actorName!: string;

  @Field(() => String, {
    description: 'What they did: the name of the mutation or, where it was refused, of the query, or the method and path over REST.',
  })
  action!: string;

  @Field(() => AuditOutcome, { description: 'What became of it.' })
  outcome!: string;

  @Field(() => String, { nullable: true, description: 'On what: the name of a cluster, or an id; null where the action says it all.' })
  target!: string | null;

  @Field(() => [String], { nullable: true, description: 'Names of the clusters that it is about; null for the service as a whole.' })
  clusters!: readonly string[] | null;

  @Field(() => Json, { nullable: true, description: 'What was asked for, without secrets; null for a refusal.' })
  input!: object | null;

  @Field(() => Json, { nullable: true, description: 'What was different of the cluster before; null when nothing of it changed.' })
  before!: object | null;

  @Field(() => Json, { nullable: true, description: 'The same after it; null when nothing of it changed.' })
  after!: object | null;
}

export const ApiTokenConnection = connectionType(() => ApiToken, 'ApiToken', 'API tokens');
export const AuditEntryConnection = connectionType(() => AuditEntry, 'AuditEntry', 'entries of the audit log');
