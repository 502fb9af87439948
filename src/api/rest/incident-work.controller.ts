import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { IncidentWork } from '../../pipeline/incident-work.service.js';
import type { WorkRequest } from '../../pipeline/incident-work.service.js';
import { Silencings } from '../../pipeline/silencings.service.js';
import { IncidentUnknownError } from '../../pipeline/work-errors.js';
import { actorOf, scopeOf } from '../../platform/access.js';
import { Clock } from '../../platform/clock.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { IncidentRepository } from '../../store/incident.repository.js';
import type { IncidentRecord } from '../../store/queries/incident-columns.js';
import { checkId, checkMaySay, checkSaid, LONGEST_SAID } from '../check-work.js';
import { historyPage, historyPosition } from '../incident-history.js';
import type { Locale } from '../choose-locale.js';
import { checkFirst } from '../page.js';
import { presentIncident, timeOf } from './present-incident-change.js';
import type { Query } from './read-query.js';
import { firstOf, localeOf, textOf } from './read-query.js';
import type { SaidWork } from './read-work.js';
import { readWork } from './read-work.js';

const PAGE = 20;
const MAX_PAGE = 100;

type Fields = SaidWork['fields'];
type Change = (wanted: WorkRequest, fields: Fields) => Promise<IncidentRecord>;

/** What an incident is shown with, that no change of it changes. */
interface Around {
  cluster: string | undefined;
  silenced: boolean;
  locale: Locale;
}

/** One incident, its history, and what people do with it. */
@Controller('v1/incidents/:incident')
export class IncidentWorkController {
  constructor(
    private readonly work: IncidentWork,
    private readonly incidents: IncidentRepository,
    private readonly clusters: ClusterRepository,
    private readonly knowledge: KnowledgeService,
    private readonly silencings: Silencings,
    private readonly clock: Clock,
  ) {}

  /** The incident, with its version as ETag. */
  @Get()
  @RouteConfig({ access: 'viewer' })
  async incident(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    const incident = await this.#find(request);
    return this.#show(incident, await this.#around(incident, request), reply);
  }

  /** What people did with it and how its status changed, the latest first. */
  @Get('history')
  @RouteConfig({ access: 'viewer' })
  async history(@Req() request: FastifyRequest) {
    const query = request.query as Query;
    const [limit, after] = [checkFirst(firstOf(query, PAGE), MAX_PAGE), textOf(query, 'after')];
    const { id } = await this.#find(request);
    const page = { limit: limit + 1, after: historyPosition(id, after) };
    const [rows, counts] = await Promise.all([this.incidents.history([id], page), this.incidents.countHistory([id])]);
    const { nodes, pageInfo } = historyPage(id, rows.get(id)!, limit, after);
    return { nodes: nodes.map((node) => ({ ...node, at: timeOf(node.at) })), pageInfo, totalCount: counts.get(id)! };
  }

  /** Takes it in hand. */
  @Post('acknowledge')
  @HttpCode(200)
  @RouteConfig({ access: 'operator' })
  acknowledge(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#change(request, reply, [], (wanted) => this.work.acknowledge(wanted));
  }

  /** Takes the acknowledgement back. */
  @Post('unacknowledge')
  @HttpCode(200)
  @RouteConfig({ access: 'operator' })
  unacknowledge(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#change(request, reply, [], (wanted) => this.work.unacknowledge(wanted));
  }

  /** Says who works on it. */
  @Post('assign')
  @HttpCode(200)
  @RouteConfig({ access: 'operator' })
  assign(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#change(request, reply, ['assignee'], async (wanted, { assignee }) =>
      this.work.assign(wanted, checkMaySay('assignee', assignee, LONGEST_SAID.assignee)),
    );
  }

  /** Writes a comment. */
  @Post('comments')
  @HttpCode(200)
  @RouteConfig({ access: 'operator' })
  comment(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#change(request, reply, ['text'], async (wanted, { text }) =>
      this.work.comment(wanted, checkSaid('text', text, LONGEST_SAID.comment)),
    );
  }

  /** Ends it. */
  @Post('resolve')
  @HttpCode(200)
  @RouteConfig({ access: 'operator' })
  resolve(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#change(request, reply, ['reason'], async (wanted, { reason }) =>
      this.work.resolve(wanted, checkMaySay('reason', reason, LONGEST_SAID.reason)),
    );
  }

  /** Opens it again. */
  @Post('reopen')
  @HttpCode(200)
  @RouteConfig({ access: 'operator' })
  reopen(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#change(request, reply, [], (wanted) => this.work.reopen(wanted));
  }

  async #change(request: FastifyRequest, reply: FastifyReply, known: readonly string[], change: Change) {
    const { fields, expectedVersion } = readWork(request.body, request.headers['if-match'], known);
    const { caller } = request;
    // All of the answer is there before the change is done: one that failed afterwards would have the caller do it twice.
    const around = await this.#around(await this.#find(request), request);
    const incident = await change({ id: idOf(request), scope: scopeOf(caller), by: actorOf(caller), expectedVersion }, fields);
    return this.#show(incident, around, reply);
  }

  async #find(request: FastifyRequest): Promise<IncidentRecord> {
    const id = idOf(request);
    const found = await this.incidents.find(id, scopeOf(request.caller));
    if (!found) throw new IncidentUnknownError(id);
    return found;
  }

  async #around({ id, clusterId }: IncidentRecord, { query, headers }: FastifyRequest): Promise<Around> {
    const locale = localeOf(query as Query, headers['accept-language']);
    const [clusters, silencings] = await Promise.all([
      this.clusters.findByIds([clusterId]),
      this.silencings.matching([id], this.clock.now()),
    ]);
    return { cluster: clusters[0]?.name, silenced: silencings.get(id)!.length > 0, locale };
  }

  #show(incident: IncidentRecord, { cluster, silenced, locale }: Around, reply: FastifyReply) {
    const { version, acknowledgedAt, acknowledgedBy, assignee } = incident;
    void reply.header('etag', `"${version}"`);
    return {
      ...presentIncident(incident, { cluster, knowledge: this.knowledge.current(), locale }),
      version,
      acknowledgedAt: acknowledgedAt === null ? null : timeOf(acknowledgedAt),
      acknowledgedBy,
      assignee,
      silenced,
    };
  }
}

function idOf({ params }: FastifyRequest): string {
  return checkId('incident', (params as { incident: string }).incident);
}
