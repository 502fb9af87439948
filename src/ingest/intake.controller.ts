import { Controller, Get, Head, Headers, HttpCode, Options, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestError } from '../platform/refusal.js';
import { IntakeDoor } from './intake-door.service.js';
import type { IntakeAnswer } from './intake-door.service.js';

/** In characters: the name of a host, as DNS limits it. */
const LONGEST_ORIGIN = 253;

/**
 * The door that clusters send their events through. Every good answer is exactly 200, because some senders take nothing
 * else for success.
 */
@Controller('v1/clusters/:cluster/events')
export class IntakeController {
  constructor(private readonly door: IntakeDoor) {}

  /** Takes a body of events; answers 200 once the good ones among them are durable. */
  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'token' })
  post(@Req() request: FastifyRequest, @Param('cluster') name: string, @Query('format') format?: unknown): Promise<IntakeAnswer> {
    return this.door.take(request, name, formatName(format));
  }

  /** As POST, for senders that only know PUT. */
  @Put()
  @RouteConfig({ access: 'token' })
  put(@Req() request: FastifyRequest, @Param('cluster') name: string, @Query('format') format?: unknown): Promise<IntakeAnswer> {
    return this.door.take(request, name, formatName(format));
  }

  /** Some senders ask at their start whether the address is alive. */
  @Head()
  @HttpCode(200)
  @RouteConfig({ access: 'token' })
  async head(@Req() request: FastifyRequest, @Param('cluster') name: string): Promise<void> {
    await this.door.clusterFor(request, name);
  }

  /**
   * As POST, for kube-eventer, which sends its events with GET unless told otherwise. Without a body it is refused and not
   * answered with a friendly 200: a proxy that drops the bodies of GETs would lose every event unseen.
   */
  @Get()
  @RouteConfig({ access: 'token' })
  async get(@Req() request: FastifyRequest, @Param('cluster') name: string, @Query('format') format?: unknown): Promise<IntakeAnswer> {
    if (request.body instanceof Uint8Array && request.body.length > 0) return this.door.take(request, name, formatName(format));
    const cluster = await this.door.clusterFor(request, name);
    throw new RequestError(
      'BAD_INPUT',
      `This is where cluster ${JSON.stringify(cluster.name)} sends its events, but the GET came without a body. Send them with POST. ` +
        'If the sender did put a body into its GET, something on the way dropped it: set its method to POST.',
    );
  }

  /**
   * Others ask what they may do. Senders of CloudEvents send nothing until their question is answered: anybody may ask, as
   * whoever then sends needs a token all the same.
   */
  @Options()
  @RouteConfig({ access: 'open' })
  options(@Headers('webhook-request-origin') origin: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): void {
    void reply.status(204).header('allow', 'POST, PUT, GET, HEAD, OPTIONS');
    if (origin === undefined || origin.length > LONGEST_ORIGIN) return;
    // The handshake asks for 200; `*` says that no rate is agreed on.
    void reply.status(200).header('webhook-allowed-origin', origin).header('webhook-allowed-rate', '*');
  }
}

function formatName(format: unknown): string | undefined {
  if (Array.isArray(format)) throw new RequestError('BAD_INPUT', 'format is given more than once.');
  return typeof format === 'string' && format !== '' ? format : undefined;
}
