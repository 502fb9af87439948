import type { Caller } from '../../platform/access.js';
import type { Scope } from '../../platform/scope.js';
import type { Locale } from '../choose-locale.js';
import type { RequestLoader } from './request.loader.js';

/** What every resolver of one request shares. */
export interface GraphqlContext {
  /** Language of texts whose field names none. */
  locale: Locale;
  load: RequestLoader;
  requestId: string;
  /** Who asks. */
  caller: Caller;
  /** What of the data they may see; every query is told. */
  scope: Scope;
}
