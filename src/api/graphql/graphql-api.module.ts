import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { ApolloDriver } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { ApolloArmor } from '@escape.tech/graphql-armor';
import { DiagnoseService } from '../../pipeline/diagnose.service.js';
import { scopeOf } from '../../platform/access.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import { chooseLocale } from '../choose-locale.js';
import { ClusterResolver } from './cluster.resolver.js';
import { DiagnosisResolver } from './diagnosis.resolver.js';
import { GraphqlHttpService } from './graphql-http.service.js';
import type { GraphqlContext } from './graphql-context.js';
import { formatGraphqlError, limitCost, logInternalErrors, reportExceededLimit } from './graphql-errors.service.js';
import { GUIDE_RESOLVERS } from './guide.resolver.js';
import { IncidentResolver } from './incident.resolver.js';
import { LIMITS } from './limits.js';
import { ProblemResolver } from './problem.resolver.js';
import { REFERENCE_RESOLVERS } from './reference.resolver.js';
import { RequestLoader } from './request.loader.js';

/** Every resolver: the schema is made of them. */
export const RESOLVERS = [
  IncidentResolver,
  ProblemResolver,
  ClusterResolver,
  DiagnosisResolver,
  ...GUIDE_RESOLVERS,
  ...REFERENCE_RESOLVERS,
];

/** What the schema is built with. */
export const SCHEMA_OPTIONS = { numberScalarMode: 'integer' } as const;

function graphqlOptions(clusters: ClusterRepository, incidents: IncidentRepository, logger: Logger): Omit<ApolloDriverConfig, 'driver'> {
  const refusing = { onReject: [reportExceededLimit], propagateOnRejection: false };
  const armor = new ApolloArmor({
    maxDepth: { n: LIMITS.depth, ...refusing },
    maxAliases: { n: LIMITS.aliases, ...refusing },
    maxDirectives: { n: LIMITS.directives, ...refusing },
    // The parser's own limit of tokens does not parse twice, and limitCost sees variables.
    maxTokens: { enabled: false },
    costLimit: { enabled: false },
    blockFieldSuggestion: { enabled: false },
  }).protect();
  return {
    path: '/graphql',
    autoSchemaFile: true,
    buildSchemaOptions: SCHEMA_OPTIONS,
    graphiql: false,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    includeStacktraceInErrorResponses: false,
    autoTransformHttpErrors: false,
    // The types of armor and of Apollo come from different module systems and do not meet.
    plugins: [
      // It would wrap every field for headers that nobody here reads.
      ApolloServerPluginCacheControlDisabled(),
      ...(armor.plugins as unknown as NonNullable<ApolloDriverConfig['plugins']>),
      limitCost(),
      logInternalErrors(logger),
    ],
    validationRules: armor.validationRules,
    formatError: formatGraphqlError,
    context: (request: FastifyRequest): GraphqlContext => ({
      locale: chooseLocale(request.headers['accept-language']),
      load: new RequestLoader(clusters, incidents),
      requestId: request.id,
      caller: request.caller,
      scope: scopeOf(request.caller),
    }),
  };
}

/** The GraphQL door. Needs StoreModule, KnowledgeModule, PipelineModule and PlatformModule to be global. */
@Module({
  imports: [
    GraphQLModule.forRootAsync<ApolloDriverConfig>({
      driver: ApolloDriver,
      inject: [ClusterRepository, IncidentRepository, LOGGER],
      useFactory: graphqlOptions,
    }),
  ],
  providers: [...RESOLVERS, DiagnoseService, GraphqlHttpService],
})
export class GraphqlApiModule {}
