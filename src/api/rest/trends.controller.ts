import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { Provider, Severity } from '../../knowledge/problem-file.js';
import { scopeOf } from '../../platform/access.js';
import { RequestError } from '../../platform/refusal.js';
import type { Dimension } from '../../store/queries/cell-source.js';
import type { BucketSize } from '../history/bucket-edges.js';
import { TrendCsv } from '../history/trend-csv.service.js';
import { TrendService } from '../history/trend.service.js';
import { listOf, oneOf, someOf, timeOf } from './read-lists.js';
import type { Query as QueryValues } from './read-query.js';
import { textOf } from './read-query.js';

const BUCKETS: readonly BucketSize[] = ['hour', 'day', 'week'];
const DIMENSIONS: readonly Dimension[] = [
  'cluster',
  'clusterProvider',
  'region',
  'namespace',
  'problem',
  'code',
  'area',
  'severity',
  'provider',
  'status',
];
const PARAMETERS = new Set([
  'from',
  'to',
  'bucket',
  'timeZone',
  'groupBy',
  'clusters',
  'clusterProviders',
  'regions',
  'namespaces',
  'problems',
  'codes',
  'areas',
  'severities',
  'providers',
]);

/** Trends for spreadsheets and scripts. */
@Controller('v1')
export class TrendsController {
  constructor(
    private readonly trends: TrendService,
    private readonly csv: TrendCsv,
  ) {}

  /** Every group and bucket in which something happened, as CSV. */
  @Get('trends.csv')
  @RouteConfig({ access: 'viewer' })
  async trendsCsv(@Query() query: QueryValues, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const unknown = Object.keys(query).find((name) => !PARAMETERS.has(name));
    // A filter that is misspelt would silently give more than was wanted.
    if (unknown !== undefined)
      throw new RequestError(
        'BAD_INPUT',
        `There is no parameter ${JSON.stringify(unknown.slice(0, 100))}; known are ${[...PARAMETERS].join(', ')}.`,
      );
    const filter = {
      clusters: listOf(query, 'clusters'),
      clusterProviders: someOf(query, 'clusterProviders', Provider.options),
      regions: listOf(query, 'regions'),
      namespaces: listOf(query, 'namespaces'),
      problems: listOf(query, 'problems'),
      codes: listOf(query, 'codes'),
      areas: listOf(query, 'areas'),
      severities: someOf(query, 'severities', Severity.options),
      providers: someOf(query, 'providers', Provider.options),
    };
    const range = {
      from: timeOf(query, 'from'),
      to: timeOf(query, 'to'),
      bucket: oneOf(query, 'bucket', BUCKETS),
      timeZone: textOf(query, 'timeZone'),
    };
    const trend = this.trends.check({ filter, groupBy: someOf(query, 'groupBy', DIMENSIONS), ...range }, scopeOf(request.caller));
    const lines = await this.csv.lines(trend);
    reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="trends.csv"');
    // Else the server would have all lines written, and throw them away.
    await reply.send(request.method === 'HEAD' ? undefined : Readable.from(lines));
  }
}
