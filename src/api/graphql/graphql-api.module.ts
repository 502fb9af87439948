import { ApolloServerPluginCacheControlDisabled, ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { ApolloDriver } from '@nestjs/apollo';
import { Module, type DynamicModule } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import type { FastifyRequest } from 'fastify';
import { DiagnoseService } from '../../pipeline/diagnose.service.js';
import { scopeOf } from '../../platform/access.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { Metrics } from '../../platform/metrics.service.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import { chooseLocale } from '../choose-locale.js';
import { HistoryService } from '../history/history.service.js';
import { PointBudget } from '../history/point-budget.js';
import { TrendService } from '../history/trend.service.js';
import { AuditTrail } from '../audit-trail.service.js';
import { AccessResolver } from './access.resolver.js';
import { ClusterAdminResolver } from './cluster-admin.resolver.js';
import { AssumedEndResolver, AssumedEpisodeResolver } from './assumed-end.resolver.js';
import { ClusterHealthLoader } from './cluster-health.loader.js';
import { ClusterGapsResolver, ClusterHealthResolver } from './cluster-health.resolver.js';
import { ClusterResolver } from './cluster.resolver.js';
import { DiagnosisResolver } from './diagnosis.resolver.js';
import { FederationResolver } from './federation.resolver.js';
import { FieldGuard } from './field-guard.service.js';
import { GraphqlHttpService } from './graphql-http.service.js';
import type { GraphqlContext } from './graphql-context.js';
import { countErrors, formatGraphqlError, limitCost, logInternalErrors } from './graphql-errors.service.js';
import { GUIDE_RESOLVERS } from './guide.resolver.js';
import { HISTORY_RESOLVERS } from './history.resolver.js';
import { IncidentChangeResolver } from './incident-change.resolver.js';
import { IncidentResolver } from './incident.resolver.js';
import { SilencingDesk } from '../silencing-desk.service.js';
import { IncidentWorkLoader } from './incident-work.loader.js';
import { IncidentWorkResolver } from './incident-work.resolver.js';
import { SILENCING_RESOLVERS } from './silencing.resolver.js';
import { limitRules } from './limit-rules.service.js';
import { LIMITS } from './limits.js';
import { ValueBudget } from './value-budget.js';
import { PersistedDocuments } from './persisted-documents.service.js';
import type { AskedDocument, DocumentOptions } from './persisted-documents.service.js';
import { ProblemResolver } from './problem.resolver.js';
import { REFERENCE_RESOLVERS } from './reference.resolver.js';
import { RejectedResolver } from './rejected.resolver.js';
import { ReplayResolver } from './replay.resolver.js';
import { RequestLoader } from './request.loader.js';
import { SubscriptionExecutor } from './subscription-executor.service.js';
import { SubscriptionServer } from './subscription-server.service.js';
import { traceOperations } from './trace-operations.service.js';
import { TREND_RESOLVERS } from './trend.resolver.js';
import { checkTrustedDocuments } from './trusted-documents.js';
import { UndiagnosedService } from '../undiagnosed.service.js';
import { UndiagnosedResolver } from './undiagnosed.resolver.js';
import { WatchResolver } from './watch.resolver.js';
import { WebhookResolver } from './webhook.resolver.js';

/** Every resolver: the schema is made of them. */
export const RESOLVERS = [
  IncidentResolver,
  IncidentWorkResolver,
  IncidentChangeResolver,
  ProblemResolver,
  ClusterResolver,
  ClusterAdminResolver,
  AccessResolver,
  WatchResolver,
  WebhookResolver,
  ClusterHealthResolver,
  ClusterGapsResolver,
  AssumedEndResolver,
  AssumedEpisodeResolver,
  RejectedResolver,
  DiagnosisResolver,
  UndiagnosedResolver,
  ReplayResolver,
  ...GUIDE_RESOLVERS,
  ...REFERENCE_RESOLVERS,
  ...HISTORY_RESOLVERS,
  ...TREND_RESOLVERS,
  ...SILENCING_RESOLVERS,
  FederationResolver,
];

/** What the schema is built with. */
export const SCHEMA_OPTIONS = { numberScalarMode: 'integer' } as const;

function graphqlOptions(
  documents: PersistedDocuments,
  clusters: ClusterRepository,
  incidents: IncidentRepository,
  logger: Logger,
  trail: AuditTrail,
  metrics: Metrics,
): Omit<ApolloDriverConfig, 'driver'> {
  const armor = limitRules();
  return {
    path: '/graphql',
    autoSchemaFile: true,
    buildSchemaOptions: SCHEMA_OPTIONS,
    transformSchema: (schema) => {
      checkTrustedDocuments(documents.trusted, schema, armor.validationRules);
      return new FieldGuard(trail).guard(schema);
    },
    graphiql: false,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: { cache: documents.cache },
    parseOptions: { maxTokens: LIMITS.tokens },
    includeStacktraceInErrorResponses: false,
    autoTransformHttpErrors: false,
    // The types of armor and of Apollo come from different module systems and do not meet.
    plugins: [
      // It would wrap every field for headers that nobody here reads.
      ApolloServerPluginCacheControlDisabled(),
      // Else a subgraph tells everybody who sends a header which of its fields failed, and how.
      ApolloServerPluginInlineTraceDisabled(),
      ...(armor.plugins as unknown as NonNullable<ApolloDriverConfig['plugins']>),
      limitCost(),
      traceOperations(),
      logInternalErrors(logger),
      countErrors(metrics),
    ],
    validationRules: armor.validationRules,
    formatError: formatGraphqlError,
    context: (request: FastifyRequest): GraphqlContext => {
      documents.admit(askedBy(request), request.caller);
      return {
        locale: chooseLocale(request.headers['accept-language']),
        load: new RequestLoader(clusters, incidents, scopeOf(request.caller)),
        points: new PointBudget(),
        values: new ValueBudget(),
        requestId: request.id,
        caller: request.caller,
        scope: scopeOf(request.caller),
        gone: () => request.raw.socket.destroyed,
      };
    },
  };
}

/** Which document a request asks for, read as the GraphQL server will read it. */
function askedBy({ method, body, url }: FastifyRequest): AskedDocument {
  if (method !== 'GET') return (body ?? {}) as AskedDocument;
  const { searchParams } = new URL(url, 'http://localhost');
  const extensions = searchParams.get('extensions');
  const query = searchParams.get('query') ?? undefined;
  try {
    return { query, extensions: extensions === null ? undefined : (JSON.parse(extensions) as unknown) };
  } catch {
    // The GraphQL server says what is wrong with it.
    return { query };
  }
}

/** The GraphQL door. Needs StoreModule, KnowledgeModule, PipelineModule and PlatformModule to be global. */
@Module({})
export class GraphqlApiModule {
  static register(options: DocumentOptions): DynamicModule {
    const documents = new PersistedDocuments(options);
    return {
      module: GraphqlApiModule,
      imports: [
        GraphQLModule.forRootAsync<ApolloDriverConfig>({
          driver: ApolloDriver,
          inject: [ClusterRepository, IncidentRepository, LOGGER, AuditTrail, Metrics],
          useFactory: graphqlOptions.bind(undefined, documents),
        }),
      ],
      providers: [
        ...RESOLVERS,
        { provide: PersistedDocuments, useValue: documents },
        ClusterHealthLoader,
        IncidentWorkLoader,
        SilencingDesk,
        DiagnoseService,
        GraphqlHttpService,
        HistoryService,
        TrendService,
        UndiagnosedService,
        SubscriptionExecutor,
        SubscriptionServer,
      ],
    };
  }
}
