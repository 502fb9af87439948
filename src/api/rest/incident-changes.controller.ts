import { Controller, Get, Inject, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { KnowledgeService } from '../../knowledge/knowledge.service.js';
import { CallerCheck, scopeOf } from '../../platform/access.js';
import { LOGGER } from '../../platform/logger.service.js';
import type { Logger } from '../../platform/logger.service.js';
import { refusalOf, RequestError } from '../../platform/refusal.js';
import type { RefusalCode } from '../../platform/refusal.js';
import { ClusterRepository } from '../../store/cluster.repository.js';
import { decodeChangeCursor, encodeChangeCursor } from '../live/change-cursor.js';
import { ChangeFeed } from '../live/change-feed.service.js';
import type { LiveStream } from '../live/live-stream.js';
import { recheckToken } from '../live/recheck-token.service.js';
import type { Locale } from '../choose-locale.js';
import { EVENT_STREAM_HEADERS, EventStream } from './event-stream.service.js';
import { presentIncidentChange } from './present-incident-change.js';
import { FILTER_PARAMETERS, readIncidentFilter } from './read-incident-filter.js';
import type { Query as QueryParameters } from './read-query.js';
import { localeOf, textOf } from './read-query.js';

const PARAMETERS: readonly string[] = [...FILTER_PARAMETERS, 'after', 'locale'];

/** Changes of incidents as they happen, for clients without WebSocket. */
@Controller('v1/incidents/changes')
export class IncidentChangesController {
  constructor(
    private readonly feed: ChangeFeed,
    private readonly knowledge: KnowledgeService,
    private readonly clusters: ClusterRepository,
    private readonly callers: CallerCheck,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Answers as Server-Sent Events until the client leaves. */
  @Get()
  @RouteConfig({ access: 'viewer', stream: true })
  async changes(@Query() query: QueryParameters, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const unknown = Object.keys(query).find((name) => !PARAMETERS.includes(name));
    if (unknown !== undefined)
      throw new RequestError('BAD_INPUT', `${JSON.stringify(unknown.slice(0, 40))} is no parameter; there are ${PARAMETERS.join(', ')}.`);
    const locale = localeOf(query, request.headers['accept-language']);
    const filter = readIncidentFilter(query, this.knowledge.current());
    const after = cursorOf(query, request);
    if (request.method === 'HEAD') return void reply.headers(EVENT_STREAM_HEADERS).send();
    const answer: { events?: EventStream; end: string } = { end: 'GOING_AWAY' };
    const stream = await this.feed.subscribe({
      filter,
      scope: scopeOf(request.caller),
      after: after === undefined ? undefined : decodeChangeCursor(after),
      onCut: (reason) => {
        answer.end = reason;
        answer.events?.end(reason);
      },
    });
    const events = (answer.events = new EventStream(reply, () => stream.idleAt && encodeChangeCursor(stream.idleAt)));
    events.onClose(() => void stream.return());
    const held = { authorization: request.headers.authorization, caller: request.caller };
    const stopChecking = recheckToken(this.callers, held, (error) => {
      events.end(this.#codeOf(error, request));
      void stream.return();
    });
    try {
      await this.#pump(stream, events, locale);
    } catch (error) {
      answer.end = this.#codeOf(error, request);
    } finally {
      stopChecking();
      await stream.return();
      events.end(answer.end);
    }
  }

  async #pump(stream: LiveStream, events: EventStream, locale: Locale): Promise<void> {
    const names = new Map<number, string>();
    // A message without data is shown to nobody, and tells where to resume from before the first change.
    if (stream.idleAt) await events.send({ id: encodeChangeCursor(stream.idleAt) });
    for await (const portion of stream) {
      const unknown = [...new Set(portion.map(({ incident }) => incident.clusterId))].filter((id) => !names.has(id));
      if (unknown.length > 0) for (const { id, name } of await this.clusters.findByIds(unknown)) names.set(id, name);
      const knowledge = this.knowledge.current();
      for (const change of portion) {
        const data = presentIncidentChange(change, { cluster: names.get(change.incident.clusterId), knowledge, locale });
        await events.send({ id: data.cursor, data });
      }
    }
  }

  #codeOf(error: unknown, { id }: FastifyRequest): RefusalCode {
    const { code } = refusalOf(error);
    if (code === 'INTERNAL') this.logger.error({ requestId: id, err: error }, 'a stream of changes failed');
    return code;
  }
}

/** Where to begin: a browser that reconnects says it in a header, and the address it first asked for is older. */
function cursorOf(query: QueryParameters, request: FastifyRequest): string | undefined {
  const last = request.headers['last-event-id'];
  return typeof last === 'string' && last !== '' ? last : textOf(query, 'after');
}
