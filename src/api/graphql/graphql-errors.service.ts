import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError, ValidationContext } from 'graphql';
import type { Logger } from '../../platform/logger.service.js';
import { refusalOf } from '../../platform/refusal.js';
import type { GraphqlContext } from './graphql-context.js';
import { LIMITS } from './limits.js';
import { costOf } from './query-cost.js';

/** Codes of the GraphQL server itself, for queries that are wrong as such. */
const OF_SERVER = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
]);

/** Extension that marks the refusal of a query that is too deep, wide or long. */
const EXCEEDS_LIMIT = 'exceedsLimit';

/** How the parser says that a query is too long. */
const TOO_MANY_TOKENS = /contains more tha[nt] \d+ tokens/;

/** Refuses a query that is too deep or wide, in the words of the rule that found it so. */
export function reportExceededLimit(context: ValidationContext | null, error: GraphQLError): void {
  context?.reportError(exceededLimit(error.message.replace(/^Syntax Error: /, '')));
}

/** Makes an error ready for the caller: its code is one of ours, and nothing of the inside is told. */
export function formatGraphqlError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { path, locations } = formatted;
  const where = { ...(locations && { locations }), ...(path && { path }) };
  const code = formatted.extensions?.['code'];
  if (formatted.extensions?.[EXCEEDS_LIMIT] || TOO_MANY_TOKENS.test(formatted.message))
    return { message: formatted.message, ...where, extensions: { code: 'TOO_LARGE' } };
  if (typeof code === 'string' && OF_SERVER.has(code)) return { message: formatted.message, ...where, extensions: { code: 'BAD_INPUT' } };
  const refusal = refusalOf(unwrapResolverError(error));
  const retry = refusal.retryAfter === undefined ? {} : { retryAfterSeconds: refusal.retryAfter };
  return { message: refusal.message, ...where, extensions: { code: refusal.code, ...retry } };
}

/** Logs what went wrong inside, under the id of its request. */
export function logInternalErrors(logger: Logger): ApolloServerPlugin<GraphqlContext> {
  return {
    async requestDidStart() {
      return {
        async didEncounterErrors({ errors, contextValue }) {
          for (const error of errors) {
            const inner = unwrapResolverError(error);
            const code = error.extensions?.['code'];
            if (
              (typeof code === 'string' && OF_SERVER.has(code)) ||
              error.extensions?.[EXCEEDS_LIMIT] ||
              refusalOf(inner).code !== 'INTERNAL'
            )
              continue;
            logger.error({ requestId: contextValue.requestId, err: inner, path: error.path?.join('.') }, 'a GraphQL field failed');
          }
        },
      };
    },
  };
}

/** Refuses queries that could return too many objects, before anything is read for them. */
export function limitCost(): ApolloServerPlugin<GraphqlContext> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ schema, document, operation, request }) {
          if (operation) checkCost(costOf(schema, document, operation, request.variables ?? {}, LIMITS.cost));
        },
      };
    },
  };
}

/** Throws unless a query of this cost may be asked. */
export function checkCost(cost: number): void {
  if (cost <= LIMITS.cost) return;
  throw exceededLimit(`The query could return more than ${LIMITS.cost} objects; ask for smaller pages or less depth.`);
}

/** The refusal of what is too much. */
export function exceededLimit(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { [EXCEEDS_LIMIT]: true, http: { status: 400 } } });
}
