import { Inject, Injectable } from '@nestjs/common';
import type { ExecutionArgs, ExecutionResult, GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { createSourceEventStream, execute, GraphQLError } from 'graphql';
import { scopeOf } from '../../platform/access.js';
import type { Caller } from '../../platform/access.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import type { Locale } from '../choose-locale.js';
import { PointBudget } from '../history/point-budget.js';
import type { LiveChange } from '../live/live-stream.js';
import { AnswerStream } from './answer-stream.js';
import { checkSubscription } from './check-subscription.service.js';
import type { AskedSubscription } from './check-subscription.service.js';
import { exceededLimit, formatGraphqlError, refusedWhole } from './graphql-errors.service.js';
import type { GraphqlContext } from './graphql-context.js';
import { limitRules } from './limit-rules.service.js';
import { ValueBudget } from './value-budget.js';
import { PersistedDocuments } from './persisted-documents.service.js';
import { RequestLoader } from './request.loader.js';
import type { SubscriberSocket } from './subscriber-socket.service.js';
import { toIncidentChange } from './to-incident-change.js';

/** Who subscribes, over which connection. */
export interface Subscriber {
  socket: SubscriberSocket;
  caller: Caller;
  locale: Locale;
  requestId: string;
}

/** What the resolvers of a subscription share. */
interface SubscriptionContext extends GraphqlContext {
  socket: SubscriberSocket;
}

/** Most subscriptions of one connection. */
const PER_CONNECTION = 20;

/** Runs subscriptions: checks them as queries over HTTP are checked, and makes an answer of every change. */
@Injectable()
export class SubscriptionExecutor {
  readonly #rules = limitRules().validationRules;
  /** Changes that were read at once share what is looked up for them, among callers who may see the same. */
  readonly #loaders = new WeakMap<object, Map<string, RequestLoader>>();

  constructor(
    private readonly clusters: ClusterRepository,
    private readonly incidents: IncidentRepository,
    private readonly documents: PersistedDocuments,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Checks what a subscriber asks for. Returns how to run it, which has to be done then, or what is wrong with it. */
  prepare(schema: GraphQLSchema, subscriber: Subscriber, asked: AskedSubscription): ExecutionArgs | GraphQLError[] {
    const { socket } = subscriber;
    try {
      if (socket.subscriptions >= PER_CONNECTION)
        throw exceededLimit('The connection has as many subscriptions as it may; open another one.');
      const document = { query: asked.query || undefined, extensions: asked.extensions };
      this.documents.admit(document, subscriber.caller);
      const { cost, ...args } = checkSubscription(schema, this.#rules, { ...asked, query: this.documents.textOf(document) });
      this.documents.remember(document);
      socket.subscriptions += 1;
      return { ...args, contextValue: { ...this.#contextOf(subscriber), cost, socket } satisfies SubscriptionContext };
    } catch (error) {
      if (Array.isArray(error)) return error as GraphQLError[];
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  }

  /**
   * Begins a subscription that `prepare` let through. It ends with its connection at the latest: a client may use its id again before it
   * runs, and then the protocol forgets it.
   */
  async subscribe(args: ExecutionArgs): Promise<AsyncGenerator<ExecutionResult, void, undefined> | ExecutionResult> {
    const subscription = args.contextValue as SubscriptionContext;
    const { socket } = subscription;
    let answers: AnswerStream<LiveChange> | undefined;
    let forget = (): void => undefined;
    const ended = (): void => {
      forget();
      socket.subscriptions -= 1;
    };
    try {
      const portions = await createSourceEventStream(args);
      if (!(Symbol.asyncIterator in portions)) return portions;
      answers = new AnswerStream(
        portions as AsyncGenerator<readonly LiveChange[], void, undefined>,
        (change) => this.#answer(change, args, subscription),
        ended,
      );
      forget = socket.onClose(() => void answers?.return());
      return answers;
    } finally {
      if (!answers) ended();
    }
  }

  async #answer(change: LiveChange, args: ExecutionArgs, subscription: GraphqlContext): Promise<ExecutionResult> {
    const values = new ValueBudget();
    const load = this.#loaderOf(change.batch, subscription);
    const answer = await execute({
      ...args,
      rootValue: { incidentChanged: toIncidentChange(change) },
      contextValue: { ...subscription, load, points: new PointBudget(), values } satisfies GraphqlContext,
    });
    return { ...answer, ...refusedWhole(answer.errors, values), extensions: { cost: subscription.cost } };
  }

  /** Makes errors ready for the caller, and logs those that are our own fault. */
  present(errors: readonly GraphQLError[], requestId: string): GraphQLFormattedError[] {
    return errors.map((error) => {
      const known = wrongAsSuch(error);
      const formatted = formatGraphqlError(known.toJSON(), known.originalError ?? known);
      if (formatted.extensions?.['code'] === 'INTERNAL') {
        this.logger.error({ requestId, err: error.originalError ?? error, path: error.path?.join('.') }, 'a subscription failed');
      }
      return formatted;
    });
  }

  #contextOf({ socket, caller, locale, requestId }: Subscriber): GraphqlContext {
    const scope = scopeOf(caller);
    return {
      locale,
      caller,
      scope,
      requestId,
      load: this.#loaderOf({}, { scope }),
      points: new PointBudget(),
      values: new ValueBudget(),
      cut: (reason) => socket.cut(reason),
    };
  }

  #loaderOf(batch: object, { scope }: Pick<GraphqlContext, 'scope'>): RequestLoader {
    const ofBatch = this.#loaders.get(batch) ?? new Map<string, RequestLoader>();
    this.#loaders.set(batch, ofBatch);
    const key = JSON.stringify(scope);
    const loader = ofBatch.get(key) ?? new RequestLoader(this.clusters, this.incidents, scope);
    ofBatch.set(key, loader);
    return loader;
  }
}

/**
 * Marks errors of the document or its variables as the caller's, as Apollo does for queries. Those of a resolver have a path,
 * and those of a stream that broke have nothing but what broke it.
 */
function wrongAsSuch(error: GraphQLError): GraphQLError {
  const { message, nodes = null, source = null, positions = null, path, originalError, extensions } = error;
  if (path || Object.keys(extensions).length > 0 || (originalError && !nodes)) return error;
  return new GraphQLError(message, { nodes, source, positions, extensions: { code: 'BAD_USER_INPUT' } });
}
