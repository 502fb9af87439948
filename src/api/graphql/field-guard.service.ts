import { Injectable } from '@nestjs/common';
import type { GraphQLField, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { defaultFieldResolver, isObjectType } from 'graphql';
import { hasRole, roleOf } from '../../platform/access.js';
import type { AskedAction, Role } from '../../platform/access.js';
import { RequestError } from '../../platform/refusal.js';
import { isEverything, mayName } from '../../platform/scope.js';
import { ClusterUnknownError } from '../../store/cluster-errors.js';
import { AuditTrail } from '../audit-trail.service.js';
import { countValues } from './count-values.js';
import type { GraphqlContext } from './graphql-context.js';
import type { Need } from './needs.js';
import { NEED } from './needs.js';

type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Record<string, unknown>, unknown>;
type Field = GraphQLField<unknown, GraphqlContext, Record<string, unknown>>;

/** What a field of a root type needs that does not say. */
const BY_DEFAULT: Record<string, Role> = { Query: 'viewer', Subscription: 'viewer', Mutation: 'admin' };

/**
 * Puts in front of the fields of the schema what they need of their caller, and behind every mutation its entry in the audit log. Counts
 * the values that they return.
 */
@Injectable()
export class FieldGuard {
  constructor(private readonly trail: AuditTrail) {}

  /** Guards all fields of a schema, in place, and returns it. */
  guard(schema: GraphQLSchema): GraphQLSchema {
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('__')) continue;
      for (const field of Object.values(type.getFields()) as Field[]) {
        const need = needOf(type.name, field);
        if (need) this.#guardField(type.name, field, need);
        // What a mutation did is done, however large an answer grew before it.
        if (type.name !== 'Mutation') countValues(field);
      }
    }
    return schema;
  }

  #guardField(type: string, field: Field, need: Need): void {
    const { resolve = defaultFieldResolver as Resolve, subscribe } = field;
    if (type !== 'Mutation') {
      const checked =
        (inner: Resolve): Resolve =>
        async (source, args, context, info) => {
          await this.#check(need, { action: field.name, caller: context.caller, cluster: undefined, args });
          return inner(source, args, context, info);
        };
      if (subscribe) field.subscribe = checked(subscribe);
      else field.resolve = checked(resolve);
      return;
    }
    field.resolve = async (source, args, context, info) => {
      const said = typeof need.within === 'function' ? need.within(args) : undefined;
      const asked: AskedAction = {
        action: field.name,
        caller: context.caller,
        cluster: typeof said === 'string' ? said : undefined,
        args,
      };
      await this.#check(need, asked);
      checkScope(need, asked, context);
      const work = async (): Promise<unknown> => resolve(source, args, context, info);
      if (need.ownRecord) return work();
      return need.reachesOut ? this.trail.recordAfter(asked, work) : this.trail.record(asked, work);
    };
  }

  async #check({ role }: Need, asked: AskedAction): Promise<void> {
    if (hasRole(asked.caller, role)) return;
    await this.trail.refused(asked);
    throw new RequestError(
      'FORBIDDEN',
      `${asked.action} needs the role ${role}; the token has the role ${roleOf(asked.caller) ?? 'of a cluster'}.`,
    );
  }
}

function needOf(type: string, { extensions }: Field): Need | undefined {
  const said = extensions[NEED] as Need | undefined;
  if (said) return said;
  return Object.hasOwn(BY_DEFAULT, type) ? { role: BY_DEFAULT[type]! } : undefined;
}

/** A cluster outside the scope is as one that does not exist; what no scope can hold is for those who may see everything. */
function checkScope({ within }: Need, { action, cluster }: AskedAction, { scope }: GraphqlContext): void {
  if (within === 'query' || isEverything(scope)) return;
  if (within === undefined)
    throw new RequestError('FORBIDDEN', `${action} is about the service as a whole, and the token may not see all of it.`);
  if (cluster !== undefined && !mayName(scope, cluster)) throw new ClusterUnknownError(cluster);
}
