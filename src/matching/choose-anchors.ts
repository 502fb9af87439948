import type { CompiledRule } from './compile-rule.js';

/** Long enough to tell messages apart, short enough to keep the automaton small. */
const anchorLength = 8;

/** A literal shorter than an anchor is found by chance, so it counts as if this many templates more shared it. */
const costOfMissingCharacter = 50;

const BUCKETS = 1 << 18;

/** Literals that a text has to contain; every inner list stands for one template, or for an expression. */
function literalsOf(rule: CompiledRule): Uint16Array[][] {
  if (rule.messages.length > 0) return rule.messages.map(({ groups }) => groups.flatMap(({ literals }) => literals));
  return rule.regex && rule.regex.literals.length > 0 ? [rule.regex.literals] : [];
}

/**
 * Chooses for each template of each rule the anchor that has to be in an event's text before the template is tried: of
 * all pieces of its literals the one that the fewest templates share.
 */
export function chooseAnchors(rules: readonly CompiledRule[]): Uint16Array[][] {
  const uses = new Uint32Array(BUCKETS);
  const texts = rules.map(literalsOf);
  for (const templates of texts)
    for (const literals of templates) for (const literal of literals) eachPiece(literal, (_, bucket) => uses[bucket]!++);
  return texts.map((templates) => templates.map((literals) => rarest(literals, uses)));
}

function rarest(literals: readonly Uint16Array[], uses: Uint32Array): Uint16Array {
  let best = literals[0]!;
  let bestStart = 0;
  let bestCost = Infinity;
  for (const literal of literals) {
    const penalty = Math.max(0, anchorLength - literal.length) * costOfMissingCharacter;
    eachPiece(literal, (start, bucket) => {
      const cost = uses[bucket]! + penalty;
      if (cost < bestCost) [best, bestStart, bestCost] = [literal, start, cost];
    });
  }
  return best.slice(bestStart, bestStart + anchorLength);
}

/** Visits every piece of the anchor's length, or the whole literal if it is shorter; equal pieces share a bucket. */
function eachPiece(literal: Uint16Array, visit: (start: number, bucket: number) => void): void {
  const size = Math.min(anchorLength, literal.length);
  for (let start = 0; start + size <= literal.length; start++) {
    let hash = size;
    for (let i = start; i < start + size; i++) hash = Math.imul(hash ^ literal[i]!, 0x01000193);
    visit(start, (hash ^ (hash >>> 15)) & (BUCKETS - 1));
  }
}
