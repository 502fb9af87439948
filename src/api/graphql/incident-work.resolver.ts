import { Args, Context, ID, Int, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { IncidentWork } from '../../pipeline/incident-work.service.js';
import type { WorkRequest } from '../../pipeline/incident-work.service.js';
import { actorOf } from '../../platform/access.js';
import { refusalOf } from '../../platform/refusal.js';
import type { IncidentRecord } from '../../store/queries/incident-columns.js';
import { checkId, checkIds, checkMaySay, checkSaid, checkVersion, LONGEST_SAID, MOST_AT_ONCE } from '../check-work.js';
import { historyPage, historyPosition } from '../incident-history.js';
import { checkFirst } from '../page.js';
import type { Connection } from './connection-types.js';
import { withTotal } from './connection-types.js';
import type { GraphqlContext } from './graphql-context.js';
import { Incident } from './incident-types.js';
import { IncidentWorkLoader } from './incident-work.loader.js';
import { Needs } from './needs.js';
import type { IncidentToShow } from './to-incident-types.js';
import { toIncident } from './to-incident-types.js';
import { IncidentHistoryConnection, IncidentHistoryEntry, IncidentOutcome } from './work-types.js';

const { comment: COMMENT, reason: REASON, assignee: ASSIGNEE } = LONGEST_SAID;
const PAGE = 20;
const MAX_NESTED = 100;

const ID_ARG = { type: () => ID, description: 'Id of the incident.' } as const;
const VERSION = {
  type: () => Int,
  nullable: true,
  description: 'Version of the incident that the caller has seen: the change is refused with CONFLICT if it is another by now.',
} as const;
const IDS = { type: () => [ID], description: `Ids of incidents, 1 to ${MOST_AT_ONCE}.` } as const;
const REASON_ARG = { type: () => String, nullable: true, description: `Why, at most ${REASON} characters.` } as const;
/** Every change is kept within the caller's scope where it is made, and in the incident's own history. */
const WORKING = () => Needs('operator', { within: 'query', ownRecord: true });

/** What people do with incidents. */
@Resolver(() => Incident)
export class IncidentWorkResolver {
  constructor(
    private readonly work: IncidentWork,
    private readonly load: IncidentWorkLoader,
  ) {}

  @ResolveField(() => IncidentHistoryConnection, {
    description: 'What people did with it and how its status changed, the latest first; kept for as long as the incident.',
  })
  async history(
    @Parent() { id }: IncidentToShow,
    @Args('first', { type: () => Int, nullable: true, defaultValue: PAGE, description: 'Most rows to return, 1 to 100.' })
    first: number | null,
    @Args('after', { type: () => String, nullable: true, description: 'Cursor after which to go on.' }) after: string | null,
    @Context() context: GraphqlContext,
  ): Promise<Connection<IncidentHistoryEntry>> {
    const limit = checkFirst(first ?? PAGE, MAX_NESTED);
    const rows = await this.load.history(context, id, { limit: limit + 1, after: historyPosition(id, after) });
    const page = historyPage(id, rows, limit, after);
    return withTotal(page, () => this.load.historyCount(context, id));
  }

  @WORKING()
  @Mutation(() => Incident, {
    description:
      'Takes an incident that is not resolved in hand. It stays acknowledged until it ends; when it fails again it is open. Done again, the caller takes it over.',
  })
  acknowledgeIncident(
    @Args('id', ID_ARG) id: string,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<IncidentToShow> {
    return this.#done(context, id, version, (request) => this.work.acknowledge(request));
  }

  @WORKING()
  @Mutation(() => Incident, { description: 'Takes the acknowledgement of an incident back: it is open.' })
  unacknowledgeIncident(
    @Args('id', ID_ARG) id: string,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<IncidentToShow> {
    return this.#done(context, id, version, (request) => this.work.unacknowledge(request));
  }

  @WORKING()
  @Mutation(() => Incident, { description: 'Says who works on an incident, whatever its status.' })
  async assignIncident(
    @Args('id', ID_ARG) id: string,
    @Args('assignee', { type: () => String, nullable: true, description: `Who, at most ${ASSIGNEE} characters; null for nobody.` })
    assignee: string | null,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<IncidentToShow> {
    const name = checkMaySay('assignee', assignee, ASSIGNEE);
    return this.#done(context, id, version, (request) => this.work.assign(request, name));
  }

  @WORKING()
  @Mutation(() => Incident, { description: 'Writes a comment into the history of an incident.' })
  async commentOnIncident(
    @Args('id', ID_ARG) id: string,
    @Args('text', { type: () => String, description: `The comment, at most ${COMMENT} characters.` }) text: string,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<IncidentToShow> {
    const said = checkSaid('text', text, COMMENT);
    return this.#done(context, id, version, (request) => this.work.comment(request, said));
  }

  @WORKING()
  @Mutation(() => Incident, {
    description:
      'Ends an incident on all its objects. What happened before and is heard of later does not reopen it; what happens later does.',
  })
  async resolveIncident(
    @Args('id', ID_ARG) id: string,
    @Args('reason', REASON_ARG) reason: string | null,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<IncidentToShow> {
    const why = checkMaySay('reason', reason, REASON);
    return this.#done(context, id, version, (request) => this.work.resolve(request, why));
  }

  @WORKING()
  @Mutation(() => Incident, {
    description:
      'Opens a resolved incident again. If a person resolved it, that is taken back, as if it had never ended; else a new episode begins now.',
  })
  reopenIncident(
    @Args('id', ID_ARG) id: string,
    @Args('expectedVersion', VERSION) version: number | null,
    @Context() context: GraphqlContext,
  ): Promise<IncidentToShow> {
    return this.#done(context, id, version, (request) => this.work.reopen(request));
  }

  @WORKING()
  @Mutation(() => [IncidentOutcome], {
    description: 'Acknowledges several incidents, each for itself; the answer is in the order of the ids.',
  })
  acknowledgeIncidents(@Args('ids', IDS) ids: string[], @Context() context: GraphqlContext): Promise<Outcome[]> {
    return this.#each(context, ids, (request) => this.work.acknowledge(request));
  }

  @WORKING()
  @Mutation(() => [IncidentOutcome], { description: 'Resolves several incidents, each for itself; the answer is in the order of the ids.' })
  async resolveIncidents(
    @Args('ids', IDS) ids: string[],
    @Args('reason', REASON_ARG) reason: string | null,
    @Context() context: GraphqlContext,
  ): Promise<Outcome[]> {
    const why = checkMaySay('reason', reason, REASON);
    return this.#each(context, ids, (request) => this.work.resolve(request, why));
  }

  async #done(context: GraphqlContext, id: string, version: number | null, change: Change): Promise<IncidentToShow> {
    const { scope, caller } = context;
    const known = checkId('incident', id);
    return toIncident(await change({ id: known, scope, by: actorOf(caller), expectedVersion: checkVersion(version) }));
  }

  async #each(context: GraphqlContext, ids: readonly string[], change: Change): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let busy: string | undefined;
    for (const id of checkIds(ids)) {
      if (busy !== undefined) {
        outcomes.push({ id, incident: null, code: 'BUSY', message: busy });
        continue;
      }
      try {
        outcomes.push({ id, incident: await this.#done(context, id, null, change), code: null, message: null });
      } catch (error) {
        const { code, message } = refusalOf(error);
        // Nobody who has changed something is told that all of it is to be done again; the others are left for later, too.
        const isDone = outcomes.some(({ incident }) => incident !== null);
        if (code === 'INTERNAL' || (code === 'BUSY' && !isDone)) throw error;
        if (code === 'BUSY') busy = message;
        outcomes.push({ id, incident: null, code, message });
      }
    }
    return outcomes;
  }
}

type Change = (request: WorkRequest) => Promise<IncidentRecord>;
type Outcome = Omit<IncidentOutcome, 'incident'> & { incident: IncidentToShow | null };
