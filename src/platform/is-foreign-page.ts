/** What a browser says of the page that made it ask. */
export interface PageHeaders {
  origin?: string | undefined;
  host?: string | undefined;
  'sec-fetch-site'?: string | string[] | undefined;
}

/**
 * Whether a browser says that a page of another host asks. Browsers let every page open a WebSocket and post anything anywhere: without
 * a token, any page that a user visits could read and change what only that user can reach.
 */
export function isForeignPage({ origin, host, 'sec-fetch-site': site }: PageHeaders): boolean {
  // What the browser itself knows of both ends holds behind a proxy that changes Host, too; no page can forge it.
  if (site !== undefined && site !== 'none') return site !== 'same-origin';
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
