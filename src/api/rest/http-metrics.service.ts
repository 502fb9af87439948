import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { Metrics, SECONDS } from '../../platform/metrics.service.js';

/** Methods that have lines of their own: whoever likes may send any. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures requests by their route: an address may hold anything, and would give as many lines as there are clusters and ids. */
@Injectable()
export class HttpMetrics implements OnModuleInit {
  constructor(
    private readonly http: HttpAdapterHost,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    const took = this.metrics.histogram(
      'casebook_http_request_duration_seconds',
      'How long requests took until they were answered, by method, route and class of the status; streams are left out once they are let in.',
      SECONDS,
      ['method', 'route', 'status'],
    );
    this.http.httpAdapter
      .getInstance<FastifyInstance>()
      .addHook('onResponse', async ({ method, routeOptions }, { statusCode, elapsedTime }) => {
        const { url: route = 'none', config } = routeOptions;
        if (config.stream && statusCode < 400) return;
        const status = `${Math.floor(statusCode / 100)}xx`;
        took.observe({ method: METHODS.has(method) ? method : 'other', route, status }, elapsedTime / 1000);
      });
  }
}
