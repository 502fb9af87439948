import type { ClusterEvent } from '../events/cluster-event.js';
import { hashText } from '../events/hash-text.js';
import { maskMessage } from './mask-message.js';
import { normaliseMessage } from './normalise-message.js';

/** What alike messages have in common. */
export interface MessagePattern {
  /** Hash of the rest, in 32 hexadecimal digits: the same everywhere and for ever. */
  id: string;
  kind: string;
  reporter: string;
  reason: string;
  /** The message with placeholders for what differs; see `maskMessage`. */
  template: string;
}

const LONGEST_WORD = 200;

/**
 * Tells which pattern an event belongs to. These are the steps of Drain (He, Zhu, Zheng and Lyu, "Drain: An Online Log Parsing Approach
 * with Fixed Depth Tree", ICWS 2017) before its search by similarity: masking by rules, then groups by what is fixed. Leaving
 * that search out makes the answer depend on the event alone.
 *
 * @param message the event's message, without secrets
 */
export function patternOf({ object, reporter, reason, host }: ClusterEvent, message: string): MessagePattern {
  const names = [object.name, object.namespace, object.container, object.owner?.name ?? '', host];
  return withId({
    kind: shortened(object.kind),
    reporter: shortened(reporter),
    reason: shortened(reason),
    template: maskMessage(normaliseMessage(message), names),
  });
}

function shortened(word: string): string {
  return word.slice(0, LONGEST_WORD).toWellFormed();
}

/** Completes a pattern by its id. */
export function withId(pattern: Omit<MessagePattern, 'id'>): MessagePattern {
  const { kind, reporter, reason, template } = pattern;
  return { id: hashText(JSON.stringify([kind, reporter, reason, template])), kind, reporter, reason, template };
}
