import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from './version.loader.js';

export type { Counter, Gauge, Histogram } from 'prom-client';

/** Upper bounds for what takes from a millisecond to ten seconds, in seconds. */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The service's Prometheus metrics: a registry of its own, so that two services in one process do not share counts. */
@Injectable()
export class Metrics {
  readonly #registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.gauge('casebook_build_info', 'Always 1, for the version of this process.', ['version']).set({ version: VERSION }, 1);
  }

  /** A value that only grows; the name ends in `_total`. Asking again for a name gives the same counter. */
  counter<L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return this.#once(name, () => new Counter({ name, help, labelNames, registers: [this.#registry] }));
  }

  /** A value that goes up and down. `collect`, if given, sets it when somebody reads the metrics. */
  gauge<L extends string = never>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect?: (gauge: Gauge<L>) => void | Promise<void>,
  ): Gauge<L> {
    return this.#once(name, () => {
      const gauge: Gauge<L> = new Gauge({
        name,
        help,
        labelNames,
        registers: [this.#registry],
        ...(collect && { collect: () => collect(gauge) }),
      });
      return gauge;
    });
  }

  /** A distribution; the name ends in its unit, `_seconds` or `_bytes`. `buckets` are upper bounds in that unit. */
  histogram<L extends string = never>(name: string, help: string, buckets: number[], labelNames: readonly L[] = []): Histogram<L> {
    return this.#once(name, () => new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] }));
  }

  /** All metrics in the Prometheus text format, and the content type to send with them. */
  async text(): Promise<{ contentType: string; body: string }> {
    return { contentType: this.#registry.contentType, body: await this.#registry.metrics() };
  }

  #once<T>(name: string, create: () => T): T {
    return (this.#registry.getSingleMetric(name) as T | undefined) ?? create();
  }
}
