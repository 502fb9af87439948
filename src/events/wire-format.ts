import type { ClusterEvent } from './cluster-event.js';

/** An object out of JSON, of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The headers of a request that say what its body is: `content-type` and `ce-*`, by their names in lower case. */
export type WireHeaders = Readonly<Record<string, string>>;

/** What a format makes of one JSON object of a body. */
export type Finding =
  | { type: 'event'; event: ClusterEvent }
  /**
   * The object is a wrapper: these are read in its place. With `foreign` they may be of any format, even when one was
   * asked for by name, and are read without the headers, which spoke of the wrapper.
   */
  | { type: 'elements'; elements: readonly unknown[]; foreign?: true }
  | { type: 'refusal'; reason: string }
  /** The object rightly carries no event, such as a watch's bookmark. */
  | { type: 'nothing' };

/** One sender's way to write events. A further sender is one more of these, listed in `wire-formats.ts`. */
export interface WireFormat {
  /** Names that `?format=` takes for it, the usual one first. */
  names: readonly string[];
  /** Tells from the fields and the headers whether an object is of this format, cheaply: it is asked for every element. */
  recognises(value: JsonObject, headers: WireHeaders): boolean;
  /** Reads one object; `now` is the time of receipt in milliseconds since the epoch. Never throws. */
  read(value: JsonObject, now: number, headers: WireHeaders): Finding;
  /** For bodies that are text but not JSON: the elements of the text, or undefined when it is not of this format. */
  split?(text: string, headers: WireHeaders): unknown[] | undefined;
  /**
   * For bodies that are not text, such as protobuf, known by their headers: the elements, or undefined when the body is
   * not of this format. Throws `UnreadableBodyError` when it is, and is broken.
   */
  readBytes?(bytes: Uint8Array, headers: WireHeaders): unknown[] | undefined;
}
