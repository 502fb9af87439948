import { describe, expect, it } from 'vitest';
import { parseTracing } from './tracing-config.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

/** The names of the variables that are wrong. */
function wrong(env: Record<string, string>): string[] {
  const { tracing, problems } = parseTracing(env);
  expect(tracing).toBeUndefined();
  return problems.map(({ variable }) => variable);
}

describe('parseTracing', () => {
  it('traces nothing unless an address is named', () => {
    expect(parseTracing({})).toEqual({ tracing: undefined, problems: [] });
    expect(parseTracing({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'wrong' })).toEqual({ tracing: undefined, problems: [] });
  });

  it.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_SDK_DISABLED: 'TRUE' }, { OTEL_TRACES_EXPORTER: 'none' }])(
    'traces nothing with %o',
    (off) => {
      expect(parseTracing({ ...ENDPOINT, ...off, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toEqual({ tracing: undefined, problems: [] });
    },
  );

  it('needs nothing but an address', () => {
    expect(parseTracing(ENDPOINT).tracing).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      timeout: 10_000,
      serviceName: 'casebook',
      resource: {},
      sampler: 'parentbased_always_on',
      ratio: 1,
    });
  });

  it('prefers what is said of traces alone, and takes their address as it is', () => {
    const { tracing } = parseTracing({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in?tenant=a',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%3Db, x-tenant = a ',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=b',
      OTEL_EXPORTER_OTLP_TIMEOUT: '5000',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '700',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=prod,a=b=c',
      OTEL_SERVICE_NAME: 'casebook-eu',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(tracing).toEqual({
      url: 'https://traces.example/in?tenant=a',
      headers: { authorization: 'Bearer a=b', 'x-tenant': 'b' },
      timeout: 700,
      serviceName: 'casebook-eu',
      resource: { 'deployment.environment.name': 'prod', a: 'b=c' },
      sampler: 'traceidratio',
      ratio: 0.25,
    });
  });

  it('names every wrong variable, and quotes none: they hold secrets', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'hunter2',
      OTEL_EXPORTER_OTLP_HEADERS: 'hunter2',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TIMEOUT: '0',
      OTEL_RESOURCE_ATTRIBUTES: 'a=%hunter2',
      OTEL_TRACES_EXPORTER: 'zipkin',
      OTEL_TRACES_SAMPLER: 'sometimes',
    };
    expect(wrong(env).toSorted()).toEqual(Object.keys(env).toSorted());
    expect(JSON.stringify(parseTracing(env).problems)).not.toContain('hunter2');
    expect(wrong({ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' })).toEqual(['OTEL_TRACES_SAMPLER_ARG']);
  });
});
