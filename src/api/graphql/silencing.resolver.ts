import type { Type } from '@nestjs/common';
import { Args, Context, ID, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { runningWindow, upcomingWindows } from '../../incidents/maintenance.js';
import type { Silencing } from '../../incidents/silencing.js';
import { Clock } from '../../platform/clock.js';
import type { Scope } from '../../platform/scope.js';
import type { SilencingChange as StoredChange } from '../../store/queries/find-silencings.js';
import { SilencingRepository } from '../../store/silencing.repository.js';
import { decodeCursor, encodeCursor, listOf } from '../cursor.js';
import { checkFirst, pageOf } from '../page.js';
import { SilencingDesk } from '../silencing-desk.service.js';
import { concerns, liesWithin, narrowed } from '../silencing-scope.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { IncidentWorkLoader } from './incident-work.loader.js';
import { Incident } from './incident-types.js';
import { Needs } from './needs.js';
import {
  MaintenanceWindow,
  MaintenanceWindowConnection,
  MaintenanceWindowInput,
  Recurrence,
  Silence,
  SilenceConnection,
  SilenceInput,
  SilencingChange,
  TimeWindow,
} from './silencing-types.js';
import type { IncidentToShow } from './to-incident-types.js';
import { checkUuid } from './to-incident-types.js';

const PAGE = 20;
const UPCOMING = 50;
const FIRST = { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most rows to return, 1 to 200.' } as const;
const AFTER = { type: () => String, nullable: true, description: 'Cursor after which to go on.' } as const;
const ACTIVE = {
  type: () => Boolean,
  nullable: true,
  description:
    'True for those whose time is now, false for those whose time is not; a recurring one counts from its start to its end. All by default.',
} as const;
const VERSION = {
  type: () => Int,
  nullable: true,
  description: 'Version that the caller has seen: refused with CONFLICT if it is another.',
} as const;
const SILENCE_ID = { type: () => ID, description: 'Id of the silence.' } as const;
const WINDOW_ID = { type: () => ID, description: 'Id of the maintenance window.' } as const;
/** Kept within the caller's scope where it is made, and written down with what it changes. */
const WORKING = () => Needs('operator', { within: 'query', ownRecord: true });

/** Lists silences or maintenance windows as their callers may see them. */
async function pageOfSilencings(
  repository: SilencingRepository,
  { kind, active, now, scope }: { kind: Silencing['kind']; active: boolean | null; now: number; scope: Scope },
  first: number | null,
  after: string | null,
): Promise<Connection<Silencing>> {
  const limit = checkFirst(first ?? PAGE);
  const list = listOf(kind, { active });
  const [at, id] = after ? (decodeCursor(list, after, ['number', 'string']) as readonly [number, string]) : [];
  const position = at !== undefined && id !== undefined ? { at, id: checkUuid(id) } : undefined;
  const wanted = { kind, active, now, scope };
  const rows = await repository.list({ ...wanted, limit: limit + 1, after: position });
  const page = pageOf(
    rows,
    limit,
    after,
    (row) => encodeCursor(list, [row.createdAt, row.id]),
    (row) => narrowed(row, scope),
  );
  return withTotal(page, () => repository.count(wanted));
}

/** What was done with one; what lies beyond the caller's scope is not told. */
async function changesOf(load: IncidentWorkLoader, context: GraphqlContext, { id }: Silencing): Promise<StoredChange[]> {
  const { scope } = context;
  const changes = await load.changes(context, id);
  if (scope.clusters === null && scope.namespaces === null) return changes;
  const shown = (said: unknown): unknown => {
    if (said === null) return null;
    const { clusters = [], namespaces = [] } = said as { clusters?: string[]; namespaces?: string[] };
    return liesWithin({ clusters, namespaces }, scope) ? said : narrowed({ ...(said as object), clusters, namespaces }, scope);
  };
  return changes.map((change) => ({ ...change, before: shown(change.before), after: shown(change.after) }));
}

@Resolver(() => Silence)
class SilenceResolver {
  constructor(
    private readonly repository: SilencingRepository,
    private readonly desk: SilencingDesk,
    private readonly clock: Clock,
    private readonly load: IncidentWorkLoader,
  ) {}

  @Query(() => SilenceConnection, { description: 'Silences that can concern what the caller may see, the newest first.' })
  silences(
    @Args('active', ACTIVE) active: boolean | null,
    @Args('first', FIRST) first: number | null,
    @Args('after', AFTER) after: string | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<Connection<Silencing>> {
    return pageOfSilencings(this.repository, { kind: 'silence', active: active ?? null, now: this.clock.now(), scope }, first, after);
  }

  @ResolveField(() => Boolean, { description: 'Whether it holds now.' })
  active(@Parent() silence: Silencing): boolean {
    return runningWindow(silence, this.clock.now()) !== null;
  }

  @ResolveField(() => [SilencingChange], { description: 'What was done with it, the latest first, at most 100.' })
  changes(@Parent() silence: Silencing, @Context() context: GraphqlContext): Promise<StoredChange[]> {
    return changesOf(this.load, context, silence);
  }

  @WORKING()
  @Mutation(() => Silence, { description: 'Silences incidents for a time: those that are there and those that will come.' })
  createSilence(
    @Args('input', { type: () => SilenceInput, description: 'What, until when and why.' }) input: SilenceInput,
    @Context() context: GraphqlContext,
  ): Promise<Silencing> {
    return this.desk.create('silence', { ...input }, context);
  }

  @WORKING()
  @Mutation(() => Silence, { description: 'Changes a silence that has not ended.' })
  updateSilence(
    @Args('id', SILENCE_ID) id: string,
    @Args('input', { type: () => SilenceInput, description: 'What to change.' }) input: SilenceInput,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<Silencing> {
    return this.desk.update('silence', id, version, { ...input }, context);
  }

  @WORKING()
  @Mutation(() => Silence, { description: 'Ends a silence now.' })
  endSilence(
    @Args('id', SILENCE_ID) id: string,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<Silencing> {
    return this.desk.end('silence', id, version, context);
  }
}

@Resolver(() => MaintenanceWindow)
class MaintenanceWindowResolver {
  constructor(
    private readonly repository: SilencingRepository,
    private readonly desk: SilencingDesk,
    private readonly clock: Clock,
    private readonly load: IncidentWorkLoader,
  ) {}

  @Query(() => MaintenanceWindowConnection, {
    description: 'Maintenance windows that can concern what the caller may see, the newest first.',
  })
  maintenanceWindows(
    @Args('active', ACTIVE) active: boolean | null,
    @Args('first', FIRST) first: number | null,
    @Args('after', AFTER) after: string | null,
    @Context() { scope }: GraphqlContext,
  ): Promise<Connection<Silencing>> {
    return pageOfSilencings(this.repository, { kind: 'maintenance', active: active ?? null, now: this.clock.now(), scope }, first, after);
  }

  @ResolveField(() => Recurrence, { nullable: true, description: 'When it recurs; null when it happens once.' })
  recurring(@Parent() { cron, durationMs, timeZone }: Silencing): Recurrence | null {
    return cron === null ? null : { cron, durationMinutes: durationMs! / 60_000, timeZone: timeZone! };
  }

  @ResolveField(() => TimeWindow, { nullable: true, description: 'The window that runs now; null when none does.' })
  running(@Parent() window: Silencing): TimeWindow | null {
    return runningWindow(window, this.clock.now());
  }

  @ResolveField(() => [TimeWindow], { description: 'The windows that begin next.' })
  upcoming(
    @Parent() window: Silencing,
    @Args('first', { type: () => Int, nullable: true, defaultValue: 5, description: 'Most to return, 1 to 50.' }) first: number | null,
  ): TimeWindow[] {
    return upcomingWindows(window, this.clock.now(), checkFirst(first ?? 5, UPCOMING));
  }

  @ResolveField(() => [SilencingChange], { description: 'What was done with it, the latest first, at most 100.' })
  changes(@Parent() window: Silencing, @Context() context: GraphqlContext): Promise<StoredChange[]> {
    return changesOf(this.load, context, window);
  }

  @WORKING()
  @Mutation(() => MaintenanceWindow, { description: 'Announces maintenance of clusters or namespaces, once or recurring.' })
  createMaintenanceWindow(
    @Args('input', { type: () => MaintenanceWindowInput, description: 'Where, when and why.' }) input: MaintenanceWindowInput,
    @Context() context: GraphqlContext,
  ): Promise<Silencing> {
    return this.desk.create('maintenance', { ...input }, context);
  }

  @WORKING()
  @Mutation(() => MaintenanceWindow, { description: 'Changes a maintenance window that has not ended; one that recurs goes on recurring.' })
  updateMaintenanceWindow(
    @Args('id', WINDOW_ID) id: string,
    @Args('input', { type: () => MaintenanceWindowInput, description: 'What to change.' }) input: MaintenanceWindowInput,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<Silencing> {
    return this.desk.update('maintenance', id, version, { ...input }, context);
  }

  @WORKING()
  @Mutation(() => MaintenanceWindow, { description: 'Ends a maintenance window now, for good.' })
  endMaintenanceWindow(
    @Args('id', WINDOW_ID) id: string,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<Silencing> {
    return this.desk.end('maintenance', id, version, context);
  }
}

/** What silences an incident. */
@Resolver(() => Incident)
class SilencedIncidentResolver {
  constructor(private readonly load: IncidentWorkLoader) {}

  @ResolveField(() => Boolean, {
    description: 'Whether a silence or a maintenance window covers it now. It is counted and listed all the same.',
  })
  async silenced(@Parent() { id }: IncidentToShow, @Context() context: GraphqlContext): Promise<boolean> {
    return (await this.load.silencings(context, id)).length > 0;
  }

  @ResolveField(() => [Silence], { description: 'The silences that cover it now.' })
  silencedBy(@Parent() { id }: IncidentToShow, @Context() context: GraphqlContext): Promise<Silencing[]> {
    return this.#of('silence', id, context);
  }

  @ResolveField(() => [MaintenanceWindow], { description: 'The maintenance windows that it lies in now.' })
  maintenance(@Parent() { id }: IncidentToShow, @Context() context: GraphqlContext): Promise<Silencing[]> {
    return this.#of('maintenance', id, context);
  }

  async #of(kind: Silencing['kind'], id: string, context: GraphqlContext): Promise<Silencing[]> {
    const { scope } = context;
    const found = await this.load.silencings(context, id);
    return found.filter((each) => each.kind === kind && concerns(each, scope)).map((each) => narrowed(each, scope));
  }
}

/** The resolvers of silences and maintenance windows. */
export const SILENCING_RESOLVERS: Type[] = [SilenceResolver, MaintenanceWindowResolver, SilencedIncidentResolver];
