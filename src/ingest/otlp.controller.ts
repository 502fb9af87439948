import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { otlpFailure, otlpSuccess } from '../events/otlp-answer.js';
import { isProtobuf } from '../events/otlp-format.js';
import type { ToldRefusal } from '../platform/access.js';
import type { Refusal } from '../platform/refusal.js';
import { IntakeDoor } from './intake-door.service.js';

/** Codes of gRPC, in which OTLP tells failures over HTTP too, by HTTP status. */
const GRPC: Readonly<Record<number, number>> = { 400: 3, 401: 16, 403: 7, 404: 5, 409: 9, 413: 8, 415: 3, 503: 14 };
const UNKNOWN = 2;

/** The collector retries a 503 and drops what a 500 answered, so our own failures ask it to come back. */
function tellRefusal({ status: ours, message }: Refusal, contentType: string | undefined): ToldRefusal {
  const status = ours === 500 ? 503 : ours;
  return { status, ...otlpFailure(GRPC[status] ?? UNKNOWN, message, isProtobuf(contentType)) };
}

/** The door for OpenTelemetry: OTLP over HTTP, where an exporter puts `/v1/logs` behind the address that it is given. */
@Controller('v1/clusters/:cluster/otlp/v1/logs')
export class OtlpController {
  constructor(private readonly door: IntakeDoor) {}

  /** Takes an ExportLogsServiceRequest; answers in its encoding once the good records among it are durable. */
  @Post()
  @HttpCode(200)
  @RouteConfig({ access: 'token', tellRefusal })
  async post(
    @Req() request: FastifyRequest,
    @Param('cluster') name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    const { rejected } = await this.door.take(request, name, 'opentelemetry');
    const { contentType, body } = otlpSuccess(rejected, isProtobuf(request.headers['content-type']));
    void reply.header('content-type', contentType);
    return typeof body === 'string' ? body : Buffer.from(body);
  }
}
