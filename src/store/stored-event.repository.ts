import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import { Database } from './database.service.js';
import type { StoredEvent, StoredEventFilter, StoredEventKey } from './queries/find-stored-events.js';
import { findStoredEvents } from './queries/find-stored-events.js';

/** Events that are kept, to be looked at again. */
@Injectable()
export class StoredEventRepository {
  constructor(private readonly database: Database) {}

  /** A page of Events in the scope, behind `after`. */
  page(scope: Scope, filter: StoredEventFilter, limit: number, after?: StoredEventKey): Promise<StoredEvent[]> {
    return findStoredEvents(this.database, scope, filter, limit, after);
  }
}
