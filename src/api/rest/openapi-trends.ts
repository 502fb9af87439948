const list = (name: string, description: string) => ({
  name,
  in: 'query',
  required: false,
  description: `${description}; separated by commas, at most 500.`,
  schema: { type: 'string' },
});
const one = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

/** `GET /v1/trends.csv`; the refusals are those of every route. */
export const trendsCsv = (errors: object) => ({
  operationId: 'trendsCsv',
  summary: 'What happened over time, by groups and buckets, as CSV',
  description:
    'One line for each group and bucket in which something happened, by time. Columns: from, to (by the clocks of timeZone), one for each of groupBy, occurrences, opened, reopened, resolved, meanSecondsToResolve. Streamed; an answer that breaks off ends without its last chunk. Quoted as in RFC 4180; a text that a spreadsheet would take for a formula has an apostrophe in front.',
  parameters: [
    one('from', 'Start, widened to a whole bucket; by default 48 hours, 30 days or 13 weeks before the end.', {
      type: 'string',
      format: 'date-time',
    }),
    one('to', 'End, widened to a whole bucket; by default now.', { type: 'string', format: 'date-time' }),
    one('bucket', 'Length of the buckets, at most 1000 of them.', { type: 'string', enum: ['hour', 'day', 'week'], default: 'day' }),
    one('timeZone', 'Zone of the IANA time zone database that the buckets follow.', { type: 'string', default: 'UTC' }),
    list(
      'groupBy',
      'What to tell apart, at most four of cluster, clusterProvider, region, namespace, problem, code, area, severity, provider, status',
    ),
    list('clusters', 'Names of clusters'),
    list('clusterProviders', 'Providers of the clusters'),
    list('regions', 'Regions of the clusters'),
    list('namespaces', 'Namespaces'),
    list('problems', 'Ids of problems'),
    list('codes', 'Error codes of the problems'),
    list('areas', 'Areas of the problems'),
    list('severities', 'Severities of the problems'),
    list('providers', 'Providers whose problems they are'),
  ],
  responses: { 200: { description: 'The lines.', content: { 'text/csv': { schema: { type: 'string' } } } }, ...errors },
});
