import type { ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError, ValidationContext } from 'graphql';
import type { Logger } from '../../platform/logger.service.js';
import type { Metrics } from '../../platform/metrics.service.js';
import { refusalOf, RequestError } from '../../platform/refusal.js';
import type { GraphqlContext } from './graphql-context.js';
import { LIMITS } from './limits.js';
import type { ValueBudget } from './value-budget.js';
import { costOf } from './query-cost.js';
import type { QueryCost } from './query-cost.js';

/** How the protocol of persisted queries says that it does not know an id. */
const NOT_PERSISTED = 'PERSISTED_QUERY_NOT_FOUND';

/** Codes of the GraphQL server itself, for queries that are wrong as such. */
const OF_SERVER = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'OPERATION_RESOLUTION_FAILURE',
  NOT_PERSISTED,
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
  if (formatted.extensions?.[EXCEEDS_LIMIT] || TOO_MANY_TOKENS.test(formatted.message)) {
    const cost = formatted.extensions?.['cost'];
    return { message: formatted.message, ...where, extensions: { code: 'TOO_LARGE', ...(cost !== undefined && { cost }) } };
  }
  // Clients answer to this code by sending the query.
  if (code === NOT_PERSISTED) return { message: formatted.message, extensions: { code } };
  if (typeof code === 'string' && OF_SERVER.has(code)) return { message: formatted.message, ...where, extensions: { code: 'BAD_INPUT' } };
  const refusal = refusalOf(innerOf(error));
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
            const inner = innerOf(error);
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

/** Counts the errors that answers carry, by their code. */
export function countErrors(metrics: Metrics): ApolloServerPlugin<GraphqlContext> {
  const counter = metrics.counter('casebook_graphql_errors_total', 'Errors in answers of GraphQL over HTTP, by their code.', ['code']);
  counter.inc({ code: 'INTERNAL' }, 0);
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response: { body } }) {
          if (body.kind !== 'single') return;
          for (const { extensions } of body.singleResult.errors ?? []) counter.inc({ code: String(extensions?.['code']) });
        },
      };
    },
  };
}

/**
 * Refuses queries that could return too many objects, before anything is read for them, and tells what they cost. Refuses answers that
 * grow too large after all.
 */
export function limitCost(): ApolloServerPlugin<GraphqlContext> {
  return {
    async requestDidStart() {
      let cost: QueryCost | undefined;
      return {
        async didResolveOperation({ schema, document, operation, request }) {
          if (!operation) return;
          cost = costOf(schema, document, operation, request.variables ?? {}, LIMITS.cost);
          checkCost(cost);
        },
        async willSendResponse({ response: { body }, contextValue: { values } }) {
          if (body.kind !== 'single') return;
          Object.assign(body.singleResult, refusedWhole(body.singleResult.errors, values));
          if (cost) body.singleResult.extensions = { ...body.singleResult.extensions, cost };
        },
      };
    },
  };
}

/**
 * What takes the place of an answer that grew too large: no data, for what is missing would look as if it did not exist, and the first of
 * the errors that say so. Undefined for an answer that may be given.
 */
export function refusedWhole<T extends { message: string }>(
  errors: readonly T[] = [],
  { refusal }: ValueBudget,
): { data: null; errors: T[] } | undefined {
  if (!refusal) return undefined;
  const told = errors.filter(({ message }) => message === refusal.message);
  return { data: null, errors: (told.length > 0 ? told : errors).slice(0, 1) };
}

/** Throws unless a query of this cost may be asked. */
export function checkCost(cost: QueryCost): void {
  if (cost.requested <= cost.limit) return;
  throw exceededLimit(`The query could return more than ${cost.limit} objects; ask for smaller pages or less depth.`, cost);
}

/** The refusal of what is too much. */
export function exceededLimit(message: string, cost?: QueryCost): GraphQLError {
  return new GraphQLError(message, { extensions: { [EXCEEDS_LIMIT]: true, ...(cost && { cost }), http: { status: 400 } } });
}

/** A refusal of the whole request, told as errors of GraphQL are. */
export function graphqlRefusal(error: RequestError): GraphQLError {
  return new GraphQLError(error.message, { originalError: error, extensions: { http: { status: refusalOf(error).status } } });
}

/** The refusal of an id that no document is known by; clients send the document then. */
export function unknownDocument(): GraphQLError {
  return new GraphQLError('PersistedQueryNotFound', { extensions: { code: NOT_PERSISTED } });
}

/** What went wrong, without what the GraphQL server has put around it. */
function innerOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError instanceof RequestError ? error.originalError : unwrapResolverError(error);
}
