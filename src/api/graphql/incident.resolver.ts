import { Args, Context, ID, Int, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import type { Problem as KnownProblem } from '../../knowledge/problem.js';
import type { Diagnosis as FoundDiagnosis } from '../../matching/diagnosis.js';
import { Silencings } from '../../pipeline/silencings.service.js';
import { Clock } from '../../platform/clock.js';
import type { Cluster as KnownCluster } from '../../store/cluster.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import type { IncidentFilter as StoredFilter } from '../../store/queries/incident-where.js';
import { decodeCursor, encodeCursor, listOf } from '../cursor.js';
import { checkFirst, pageOf } from '../page.js';
import { valuesOf } from '../present-causes.js';
import { Cluster } from './cluster-types.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import { toDiagnosis } from './diagnosis.resolver.js';
import type { DiagnosisToShow } from './diagnosis.resolver.js';
import type { GraphqlContext } from './graphql-context.js';
import {
  Episode,
  Event,
  EventConnection,
  Incident,
  IncidentConnection,
  IncidentFilter,
  IncidentOrder,
  ObjectRef,
} from './incident-types.js';
import { Diagnosis, Problem } from './problem-types.js';
import type { IncidentToShow } from './to-incident-types.js';
import { checkUuid, isUuid, toEpisode, toEvent, toFilter, toIncident, toObjectRef } from './to-incident-types.js';

const MAX_NESTED = 100;
const PAGE = 20;
const FIRST = { type: () => Int, nullable: true, defaultValue: PAGE } as const;

/** Answers questions about incidents. */
@Resolver(() => Incident)
export class IncidentResolver {
  constructor(
    private readonly incidentsOf: IncidentRepository,
    private readonly knowledge: KnowledgeService,
    private readonly silencings: Silencings,
    private readonly clock: Clock,
  ) {}

  @Query(() => Incident, { nullable: true, description: 'One incident; null when there is none with that id.' })
  async incident(@Args('id', { type: () => ID, description: 'Id of the incident.' }) id: string, @Context() { scope }: GraphqlContext): Promise<IncidentToShow | undefined> {
    const found = isUuid(id) ? await this.incidentsOf.find(id, scope) : undefined;
    return found && toIncident(found);
  }

  @Query(() => IncidentConnection, { description: 'Incidents, by default those seen last first.' })
  async incidents(
    @Args('filter', { type: () => IncidentFilter, nullable: true, description: 'Which incidents; all by default.' })
    wanted: IncidentFilter | null,
    @Args('orderBy', { type: () => IncidentOrder, nullable: true, description: 'Order; by default the latest seen first.' })
    orderBy: IncidentOrder | null,
    @Args('first', { ...FIRST, description: 'Most rows to return, 1 to 200.' }) first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to go on.' }) after: string | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<Connection<IncidentToShow>> {
    const limit = checkFirst(first ?? PAGE);
    const filter = await this.#filterOf(wanted ?? {});
    const order = { by: orderBy?.field ?? 'lastSeenAt', descending: orderBy?.direction !== 'asc' } as const;
    const list = listOf('incidents', wanted ?? {}, order);
    const [at, id] = after ? (decodeCursor(list, after, ['number', 'string']) as readonly [number, string]) : [];
    const position = at !== undefined && id !== undefined ? { at, id: checkUuid(id) } : undefined;
    const rows = await this.incidentsOf.list({ filter, scope, order, limit: limit + 1, after: position });
    const page = pageOf(rows, limit, after, (row) => encodeCursor(list, [row[order.by], row.id]), toIncident);
    return withTotal(page, () => this.incidentsOf.count(filter, scope));
  }

  /** What is silenced is known when it is asked. */
  async #filterOf(wanted: IncidentFilter): Promise<StoredFilter> {
    const filter = toFilter(wanted, this.knowledge.current());
    if (wanted.silenced === undefined || wanted.silenced === null) return filter;
    return { ...filter, silenced: { is: wanted.silenced, by: await this.silencings.running(this.clock.now()) } };
  }

  @ResolveField(() => Cluster, { description: 'The cluster it is in.' })
  async cluster(@Parent() { clusterId }: IncidentToShow, @Context() { load }: GraphqlContext): Promise<KnownCluster | undefined> {
    return load.cluster.load(clusterId);
  }

  @ResolveField(() => Problem, { nullable: true, description: 'Its problem; null when the knowledge base does not hold it any more.' })
  problem(@Parent() { problemId }: IncidentToShow): KnownProblem | undefined {
    return this.knowledge.current().byId.get(problemId);
  }

  @ResolveField(() => [ObjectRef], { description: 'Objects that show it, those seen last first.' })
  async affected(
    @Parent() { id }: IncidentToShow,
    @Args('first', { ...FIRST, description: 'Most rows to return, 1 to 100.' }) first: number | null,
    @Context() { load }: GraphqlContext,
  ): Promise<ObjectRef[]> {
    return (await load.affected(id, checkFirst(first ?? PAGE, MAX_NESTED))).map(toObjectRef);
  }

  @ResolveField(() => Diagnosis, { nullable: true, description: 'How the latest happening was recognised.' })
  diagnosis(@Parent() incident: IncidentToShow, @Context() { load }: GraphqlContext): DiagnosisToShow | undefined {
    const found = incident.diagnosis as FoundDiagnosis | null;
    if (!found) return undefined;
    return toDiagnosis(found, async () => {
      const object = await load.latestObject.load(incident.id);
      return valuesOf(
        object ?? { ...incident.subject, namespace: incident.subject.namespace ?? '', container: '' },
        object?.host ?? '',
        found.captured,
      );
    });
  }

  @ResolveField(() => [Episode], { description: 'Its uninterrupted open periods, the latest first.' })
  async episodes(
    @Parent() { id }: IncidentToShow,
    @Args('first', { ...FIRST, description: 'Most rows to return, 1 to 100.' }) first: number | null,
    @Context() { load }: GraphqlContext,
  ): Promise<Episode[]> {
    return (await load.episodes(id, checkFirst(first ?? PAGE, MAX_NESTED))).map(toEpisode);
  }

  @ResolveField(() => EventConnection, { description: 'Events that showed it, the latest first, as long as raw events are kept.' })
  async events(
    @Parent() { id }: IncidentToShow,
    @Args('first', { ...FIRST, description: 'Most rows to return, 1 to 100.' }) first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to go on.' }) after: string | null,
    @Context() { load }: GraphqlContext,
  ): Promise<Connection<Event>> {
    const limit = checkFirst(first ?? PAGE, MAX_NESTED);
    const list = listOf('events', id);
    const [at, uid] = after ? (decodeCursor(list, after, ['number', 'string']) as readonly [number, string]) : [];
    const position = at !== undefined && uid !== undefined ? { at, uid } : undefined;
    const rows = await load.events(id, { limit: limit + 1, after: position });
    const page = pageOf(rows, limit, after, (row) => encodeCursor(list, [row.lastAt, row.uid]), toEvent);
    return withTotal(page, () => load.eventCount.load(id));
  }
}
