import { Module, type DynamicModule } from '@nestjs/common';
import { ChangeFeed } from './change-feed.service.js';
import { LIVE_OPTIONS } from './live-options.js';
import type { LiveOptions } from './live-options.js';

/** Live streams of changes, for both APIs. Needs StoreModule and PlatformModule to be global. */
@Module({})
export class LiveModule {
  static register(options: LiveOptions): DynamicModule {
    const provided = { provide: LIVE_OPTIONS, useValue: options };
    return { module: LiveModule, global: true, providers: [provided, ChangeFeed], exports: [provided, ChangeFeed] };
  }
}
