import { Module, type DynamicModule } from '@nestjs/common';
import type { WatchConfig } from '../../config/config.js';
import { WATCH_OPTIONS } from './watch-options.js';
import type { WatchOptions } from './watch-options.js';
import { WatchSources } from './watch-sources.service.js';
import { WatchStates } from './watch-states.service.js';
import { WatchSupervisor } from './watch-supervisor.service.js';

/**
 * A replica that died is noticed when its lease lapses, 8 seconds after it was last renewed, and by the next round of another
 * replica 2 seconds later at most: 10 seconds altogether. Three renewals in a row may fail before a lease lapses.
 */
const LEASE_TTL = 8_000;
const RENEW_EVERY = 2_000;

/** Reads the events of clusters from their API servers. Needs IngestModule, PipelineModule, StoreModule and PlatformModule to be global. */
@Module({})
export class WatchModule {
  static register(config: WatchConfig): DynamicModule {
    const options: WatchOptions = { ...config, leaseTtl: LEASE_TTL, renewEvery: RENEW_EVERY };
    return {
      module: WatchModule,
      global: true,
      providers: [{ provide: WATCH_OPTIONS, useValue: options }, WatchSources, WatchStates, WatchSupervisor],
      exports: [WatchStates],
    };
  }
}
