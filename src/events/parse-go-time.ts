/** `2026-06-01 10:00:00.123456789 +0000 UTC m=+0.5`: Go's default form of a time. */
const GO_TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) ([+-]\d{2})(\d{2})(?: \S+)?(?: m=\S+)?$/;

/** Rewrites a time as Go prints it to RFC 3339; any other text stays as it is. */
export function rfc3339OfGo(text: string): string {
  const [, date, time, hours, minutes] = GO_TIME.exec(text) ?? [];
  return date === undefined ? text : `${date}T${time}${hours}:${minutes}`;
}
