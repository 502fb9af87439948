/**
 * Whether a browser says that a page of another host asks. Browsers let every page open a WebSocket anywhere: without a token,
 * any page that a user visits could read what only that user can reach.
 */
export function isForeignOrigin({ origin, host }: { origin?: string | undefined; host?: string | undefined }): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
