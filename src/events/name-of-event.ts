/** client-go names an Event after its object and the nanoseconds since the epoch, in hexadecimal. */
const EVENT_NAME = /^(.{1,253})\.[0-9a-f]{14,16}$/;

/** The name of the object that an Event is about, read off the Event's own name; undefined for any other name. */
export function objectNameOf(eventName: string): string | undefined {
  return EVENT_NAME.exec(eventName)?.[1];
}
