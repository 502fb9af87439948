import { Controller, Get, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Metrics } from '../../platform/metrics.service.js';
import { ReadinessService } from './readiness.service.js';

/** Tells machines how the service is. */
@Controller()
export class HealthController {
  constructor(
    private readonly readiness: ReadinessService,
    private readonly metrics: Metrics,
  ) {}

  /** The process is alive. */
  @Get('healthz')
  @RouteConfig({ access: 'open' })
  healthz() {
    return { status: 'ok' };
  }

  /** The service can do its work; 503 with what is missing when it cannot. */
  @Get('readyz')
  @RouteConfig({ access: 'open' })
  async readyz(@Res({ passthrough: true }) reply: FastifyReply) {
    const missing = await this.readiness.missing();
    if (missing.length === 0) return { status: 'ready' };
    void reply.status(503);
    return { status: 'not ready', missing };
  }

  /** Metrics in the Prometheus text format. */
  @Get('metrics')
  @RouteConfig({ access: 'viewer', needsFullScope: true })
  async prometheus(@Res({ passthrough: true }) reply: FastifyReply) {
    const { contentType, body } = await this.metrics.text();
    void reply.header('content-type', contentType);
    return body;
  }
}
