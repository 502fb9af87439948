import type { ApolloServerPlugin } from '@apollo/server';
import { currentContext, noteInRequest } from '../../platform/work-context.service.js';
import type { GraphqlContext } from './graphql-context.js';

const MOST_NAME = 100;

/**
 * Tells the log and the trace which operation a request asks for, by type and name; never its variables. What its resolvers do goes under
 * a span of its own: a request holds one operation, so its context is what they run in.
 */
export function traceOperations(): ApolloServerPlugin<GraphqlContext> {
  return {
    async requestDidStart() {
      const context = currentContext();
      const outer = context?.span;
      const span = context?.tracer?.start('graphql', {}, outer);
      if (context && span) context.span = span;
      return {
        async didResolveOperation({ operation, operationName }) {
          const type = operation?.operation ?? 'query';
          const name = operationName?.slice(0, MOST_NAME);
          span?.rename(name === undefined ? type : `${type} ${name}`);
          span?.set({ 'graphql.operation.type': type, 'graphql.operation.name': name });
          noteInRequest({ operation: name === undefined ? type : `${type} ${name}` });
        },
        async didEncounterErrors({ errors }) {
          span?.set({ 'casebook.errors': errors.length });
          span?.fail(String(errors[0]?.extensions?.['code'] ?? 'INTERNAL'));
        },
        async willSendResponse() {
          span?.end();
          if (context && span) context.span = outer;
        },
      };
    },
  };
}
