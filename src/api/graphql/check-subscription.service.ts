import type { ExecutionArgs, GraphQLSchema, ValidationRule } from 'graphql';
import { getOperationAST, GraphQLError, parse, specifiedRules, validate } from 'graphql';
import { checkCost } from './graphql-errors.service.js';
import { LIMITS } from './limits.js';
import { costOf } from './query-cost.js';
import type { QueryCost } from './query-cost.js';

/** What a client asks for over a WebSocket. */
export interface AskedSubscription {
  query: string;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
  extensions?: Record<string, unknown> | null | undefined;
}

const OTHERS = 'Only subscriptions go over WebSocket; send queries and mutations by POST to the same address.';

/** How to run a subscription, and what each of its answers costs. */
export type CheckedSubscription = ExecutionArgs & { cost: QueryCost };

/** Reads a subscription and holds it to the limits that queries over HTTP have. Throws GraphQLError, or a list of them. */
export function checkSubscription(schema: GraphQLSchema, rules: readonly ValidationRule[], asked: AskedSubscription): CheckedSubscription {
  const document = parse(asked.query, { maxTokens: LIMITS.tokens });
  const errors = validate(schema, document, [...specifiedRules, ...rules]);
  if (errors.length > 0) throw errors;
  const operation = getOperationAST(document, asked.operationName);
  if (!operation) throw new GraphQLError('The operation to run is not named, or not in the document.');
  if (operation.operation !== 'subscription') throw new GraphQLError(OTHERS);
  const variableValues = asked.variables ?? {};
  const cost = costOf(schema, document, operation, variableValues, LIMITS.cost);
  checkCost(cost);
  return { cost, schema, document, operationName: asked.operationName, variableValues };
}
