import type { MessagePattern } from './message-pattern.js';
import { withId } from './message-pattern.js';

/** How many patterns have to agree in all words but one, so that this word is taken for one that varies. */
const ENOUGH = 3;
const ANY = '{*}';

/** Patterns that are shown as one. */
export interface MergedPattern<P extends MessagePattern> {
  pattern: MessagePattern;
  /** One, or at least three whose templates differ in one word. */
  members: P[];
}

/**
 * Puts patterns together whose templates differ in one and the same word only, because that word is the name of something. Depends on the
 * set of patterns and not on their order. A pattern that fits several groups goes to the biggest.
 */
export function mergePatterns<P extends MessagePattern>(patterns: readonly P[]): MergedPattern<P>[] {
  const words = patterns.map(({ template }) => template.split(' '));
  const groups = new Map<string, number[]>();
  const keyOf = (i: number, at: number): string => {
    const { kind, reporter, reason } = patterns[i]!;
    return JSON.stringify([kind, reporter, reason, words[i]!.with(at, ANY).join(' ')]);
  };
  const eachKey = (i: number, visit: (key: string) => void): void => {
    // With one word only, nothing would be left.
    if (words[i]!.length < 2) return;
    for (const [at, word] of words[i]!.entries()) if (!word.includes('{')) visit(keyOf(i, at));
  };
  for (let i = 0; i < patterns.length; i++) {
    eachKey(i, (key) => {
      const group = groups.get(key);
      if (group) group.push(i);
      else groups.set(key, [i]);
    });
  }

  const merged = new Map<string, MergedPattern<P>>();
  for (let i = 0; i < patterns.length; i++) {
    let best: string | undefined;
    eachKey(i, (key) => {
      const [size, other] = [groups.get(key)!.length, best === undefined ? ENOUGH - 1 : groups.get(best)!.length];
      if (size > other || (size === other && best !== undefined && key < best)) best = key;
    });
    const own = patterns[i]!;
    if (best === undefined) {
      merged.set(own.id, { pattern: own, members: [own] });
      continue;
    }
    const [kind, reporter, reason, template] = JSON.parse(best) as [string, string, string, string];
    const known = merged.get(best);
    if (known) known.members.push(own);
    else merged.set(best, { pattern: withId({ kind, reporter, reason, template }), members: [own] });
  }
  return [...merged.values()];
}
