import type { ClusterEvent } from './cluster-event.js';

/** An object out of JSON, of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What a format makes of one JSON object of a body. */
export type Finding =
  | { type: 'event'; event: ClusterEvent }
  /** The object is a wrapper: these are read in its place. */
  | { type: 'elements'; elements: readonly unknown[] }
  | { type: 'refusal'; reason: string }
  /** The object rightly carries no event, such as a watch's bookmark. */
  | { type: 'nothing' };

/** One sender's way to write events. A further sender is one more of these, listed in `wire-formats.ts`. */
export interface WireFormat {
  /** Names that `?format=` takes for it. */
  names: readonly string[];
  /** Tells from the fields alone whether an object is of this format, cheaply: it is asked for every element. */
  recognises(value: JsonObject): boolean;
  /** Reads one object; `now` is the time of receipt in milliseconds since the epoch. Never throws. */
  read(value: JsonObject, now: number): Finding;
  /** For bodies that are not JSON: the elements of the text, or undefined when the text is not of this format. */
  split?(text: string): unknown[] | undefined;
}
