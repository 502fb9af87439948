import { Catch, Inject } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGGER } from '../platform/logger.service.js';
import type { Logger } from '../platform/logger.service.js';
import { refusalOf } from '../platform/refusal.js';

/** A browser asks its user for a name, which may be any, and a password, which is the token. */
const BASIC = 'Basic realm="Casebook: any name, the token as password", charset="UTF-8"';

/** Answers every error of an HTTP request in the same form, and logs those that are our own fault. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    // Errors of resolvers are answered by the GraphQL server, one per field.
    if (host.getType<string>() === 'graphql') throw error;
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const refusal = refusalOf(error);
    request.refusal = refusal;
    const { status, code, message, retryAfter } = refusal;
    if (code === 'INTERNAL')
      this.logger.error({ requestId: request.id, err: error }, `${request.method} ${request.routeOptions.url ?? ''} failed`);
    if (reply.sent) return;
    if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
    const { config } = request.routeOptions;
    if (status === 401) void reply.header('www-authenticate', config.catalogue ? BASIC : 'Bearer');
    const told = config.tellRefusal?.(refusal, request.headers['content-type']);
    if (told) {
      void reply.status(told.status).header('content-type', told.contentType).send(told.body);
      return;
    }
    const body =
      request.routeOptions.url === '/graphql'
        ? { errors: [{ message, extensions: { code } }] }
        : { error: { code, message, requestId: request.id } };
    void reply.status(status).header('content-type', 'application/json; charset=utf-8').send(body);
  }
}
