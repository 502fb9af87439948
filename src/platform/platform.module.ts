import { Module, type DynamicModule } from '@nestjs/common';
import { Clock } from './clock.js';
import { SystemClock } from './clock.service.js';
import { LOGGER, type Logger } from './logger.service.js';
import { MESSAGE_MASK, type MessageMask } from './message-mask.js';
import { Metrics } from './metrics.service.js';
import { ServiceState } from './service-state.js';

/** Gives every room the logger (`LOGGER`), the mask of messages (`MESSAGE_MASK`), the `Metrics`, the `Clock` and the `ServiceState`. */
@Module({})
export class PlatformModule {
  /** The module around a logger that exists before Nest does. */
  static register(logger: Logger, mask: MessageMask, state: ServiceState): DynamicModule {
    const providers = [
      { provide: LOGGER, useValue: logger },
      { provide: MESSAGE_MASK, useValue: mask },
      { provide: ServiceState, useValue: state },
      { provide: Clock, useClass: SystemClock },
      Metrics,
    ];
    return { module: PlatformModule, global: true, providers, exports: providers };
  }
}
