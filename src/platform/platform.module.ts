import { Module, type DynamicModule } from '@nestjs/common';
import { Clock } from './clock.js';
import { SystemClock } from './clock.service.js';
import { LOGGER, type Logger } from './logger.service.js';
import { Metrics } from './metrics.service.js';

/** Gives every room the logger (`LOGGER`), the `Metrics` and the `Clock`. */
@Module({})
export class PlatformModule {
  /** The module around a logger that exists before Nest does. */
  static register(logger: Logger): DynamicModule {
    const providers = [{ provide: LOGGER, useValue: logger }, { provide: Clock, useClass: SystemClock }, Metrics];
    return { module: PlatformModule, global: true, providers, exports: providers };
  }
}
