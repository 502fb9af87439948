import { ApolloArmor } from '@escape.tech/graphql-armor';
import { reportExceededLimit } from './graphql-errors.service.js';
import { LIMITS } from './limits.js';

/** The rules that refuse queries that are too deep or wide, for queries and subscriptions alike. */
export function limitRules() {
  const refusing = { onReject: [reportExceededLimit], propagateOnRejection: false };
  return new ApolloArmor({
    maxDepth: { n: LIMITS.depth, ...refusing },
    // By default those of __typename are free, and each is a text in every object.
    maxAliases: { n: LIMITS.aliases, allowList: [], ...refusing },
    maxDirectives: { n: LIMITS.directives, ...refusing },
    // The parser's own limit of tokens does not parse twice, and limitCost sees variables.
    maxTokens: { enabled: false },
    costLimit: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }).protect();
}
