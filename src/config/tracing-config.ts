/** How traces are kept, by the names of OpenTelemetry. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Where traces go, and which. The variables are those of OpenTelemetry. */
export interface TracingConfig {
  /** `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or `OTEL_EXPORTER_OTLP_ENDPOINT` with `/v1/traces` behind it. */
  url: string;
  /** `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_EXPORTER_OTLP_TRACES_HEADERS`, whose values may be secrets. */
  headers: Readonly<Record<string, string>>;
  /** `OTEL_EXPORTER_OTLP_TRACES_TIMEOUT` or `OTEL_EXPORTER_OTLP_TIMEOUT`: for one batch, milliseconds. Default 10,000. */
  timeout: number;
  /** `OTEL_SERVICE_NAME`. Default casebook. */
  serviceName: string;
  /** `OTEL_RESOURCE_ATTRIBUTES`: what else the service is known by. */
  resource: Readonly<Record<string, string>>;
  /** `OTEL_TRACES_SAMPLER`. Default parentbased_always_on. */
  sampler: (typeof SAMPLERS)[number];
  /** `OTEL_TRACES_SAMPLER_ARG`: which part of the traces the samplers with a ratio keep, 0 to 1. Default 1. */
  ratio: number;
}

type Env = Readonly<Record<string, string | undefined>>;
type Problem = { variable: string; message: string };

const PREFIX = 'OTEL_EXPORTER_OTLP_';
const DEFAULT_TIMEOUT = 10_000;
const MOST_TIMEOUT = 60_000;

/**
 * Reads the variables of OpenTelemetry that tell where traces go. Undefined when none is named, or `OTEL_SDK_DISABLED` or
 * `OTEL_TRACES_EXPORTER=none` says that there are to be none; then nothing is checked. No value is quoted: they may hold secrets.
 */
export function parseTracing(env: Env): { tracing: TracingConfig | undefined; problems: Problem[] } {
  const endpoint = chosen(env, 'ENDPOINT');
  const off = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none';
  if (off || endpoint === undefined) return { tracing: undefined, problems: [] };
  const problems: Problem[] = [];
  const refuse = (variable: string, message: string): void => void problems.push({ variable, message });

  const url = endpoint.name.includes('TRACES') ? endpoint.value : `${endpoint.value.replace(/\/$/, '')}/v1/traces`;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    refuse(endpoint.name, 'expected an address such as http://collector:4318');
  const exporter = env['OTEL_TRACES_EXPORTER'];
  if (exporter !== undefined && exporter !== 'otlp') refuse('OTEL_TRACES_EXPORTER', 'expected otlp or none');
  const protocol = chosen(env, 'PROTOCOL');
  if (protocol && protocol.value !== 'http/protobuf')
    refuse(protocol.name, 'expected http/protobuf, the only protocol that traces are sent in; collectors take it at port 4318');
  const timeout = chosen(env, 'TIMEOUT');
  if (timeout && !(/^\d{1,6}$/.test(timeout.value) && Number(timeout.value) >= 1 && Number(timeout.value) <= MOST_TIMEOUT))
    refuse(timeout.name, `expected milliseconds from 1 to ${MOST_TIMEOUT}`);
  const pairs = (name: string): Record<string, string> => {
    const read = parsePairs(env[name]);
    if (!read) refuse(name, 'expected name=value pairs separated by commas, with other commas percent-encoded');
    return read ?? {};
  };
  const headers = { ...pairs(`${PREFIX}HEADERS`), ...pairs(`${PREFIX}TRACES_HEADERS`) };
  const resource = pairs('OTEL_RESOURCE_ATTRIBUTES');
  const sampler = SAMPLERS.find((name) => name === (env['OTEL_TRACES_SAMPLER'] ?? 'parentbased_always_on'));
  if (!sampler) refuse('OTEL_TRACES_SAMPLER', `expected one of ${SAMPLERS.join(', ')}`);
  const ratio = sampler?.endsWith('ratio') ? Number(env['OTEL_TRACES_SAMPLER_ARG'] ?? 1) : 1;
  if (!(ratio >= 0 && ratio <= 1)) refuse('OTEL_TRACES_SAMPLER_ARG', 'expected a number from 0 to 1');
  if (problems.length > 0) return { tracing: undefined, problems };
  return {
    tracing: {
      url,
      headers,
      timeout: Number(timeout?.value ?? DEFAULT_TIMEOUT),
      serviceName: env['OTEL_SERVICE_NAME'] ?? resource['service.name'] ?? 'casebook',
      resource: Object.fromEntries(Object.entries(resource).filter(([name]) => name !== 'service.name')),
      sampler: sampler!,
      ratio,
    },
    problems,
  };
}

/** The variable for traces alone, or else the one for everything that OTLP sends. */
function chosen(env: Env, what: string): { name: string; value: string } | undefined {
  const name = [`${PREFIX}TRACES_${what}`, `${PREFIX}${what}`].find((each) => env[each] !== undefined);
  return name === undefined ? undefined : { name, value: env[name]! };
}

function parsePairs(text = ''): Record<string, string> | undefined {
  const pairs: Record<string, string> = {};
  for (const part of text.split(',').filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    try {
      pairs[decodeURIComponent(name!)] = decodeURIComponent(value!);
    } catch {
      return undefined;
    }
    if (name === undefined) return undefined;
  }
  return pairs;
}
