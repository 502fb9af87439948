import { BrokenElement } from './broken-element.js';
import type { Rejection } from './cluster-event.js';

/** What was refused, for those who keep it; apart from the rejection itself, which is shown to the sender. */
const elements = new WeakMap<Rejection, unknown>();

/** Notes which element of a body a rejection is about. It is held as long as the rejection is. */
export function noteRefused(rejection: Rejection, element: unknown): Rejection {
  // What could not be read has no value; its text is somewhere in the body.
  if (!(element instanceof BrokenElement)) elements.set(rejection, element);
  return rejection;
}

/** The element that a rejection is about: a value out of JSON; undefined when it was none. */
export function refusedElement(rejection: Rejection): unknown {
  return elements.get(rejection);
}
