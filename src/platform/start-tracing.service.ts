import type { TracingConfig } from '../config/tracing-config.js';
import type { Logger } from './logger.service.js';
import type { Tracer } from './tracer.js';

/** Begins to send traces. Undefined when they are not wanted: then nothing of OpenTelemetry is even loaded. */
export async function startTracing(config: TracingConfig | undefined, logger: Logger): Promise<Tracer | undefined> {
  if (!config) return undefined;
  const { OtlpTracer } = await import('./otlp-tracer.service.js');
  // Only the host: the rest of the address may hold a secret.
  logger.info({ collector: new URL(config.url).host, sampler: config.sampler }, 'traces are sent');
  return new OtlpTracer(config, logger);
}
