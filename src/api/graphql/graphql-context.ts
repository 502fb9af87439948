import type { Caller } from '../../platform/access.js';
import type { Scope } from '../../platform/scope.js';
import type { Locale } from '../choose-locale.js';
import type { PointBudget } from '../history/point-budget.js';
import type { LiveEnd } from '../live/live-stream.js';
import type { ValueBudget } from './value-budget.js';
import type { QueryCost } from './query-cost.js';
import type { RequestLoader } from './request.loader.js';

/** What every resolver of one request shares. */
export interface GraphqlContext {
  /** Language of texts whose field names none. */
  locale: Locale;
  load: RequestLoader;
  /** Buckets of histories and trends that the answer may still hold. */
  points: PointBudget;
  /** Objects and computed fields that the answer may still hold. */
  values: ValueBudget;
  /** What each answer of a subscription tells of its cost; absent for queries, whose one answer is told otherwise. */
  cost?: QueryCost;
  requestId: string;
  /** Who asks. */
  caller: Caller;
  /** What of the data they may see; every query is told. */
  scope: Scope;
  /** True when nobody waits for the answer any more; absent where that cannot be told. */
  gone?: () => boolean;
  /** Ends the connection of a subscription; absent where there is none. */
  cut?: (reason: LiveEnd) => void;
}
