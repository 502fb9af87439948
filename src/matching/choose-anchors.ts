import type { CompiledRule } from './compile-rule.js';

/** Long enough to tell messages apart, short enough to keep the automaton small. */
const anchorLength = 8;

/** Literals of which a text has to contain the whole; every inner list stands for one template or expression. */
function literalsOf(rule: CompiledRule): Uint16Array[][] {
  if (rule.messages.length > 0) return rule.messages.map(({ groups }) => groups.flatMap(({ literals }) => literals));
  return rule.regex && rule.regex.literals.length > 0 ? [rule.regex.literals] : [];
}

/**
 * Chooses for each rule with text the anchors of which one has to be in the event's text: a piece of each of its
 * templates, namely the one that the fewest other templates share.
 */
export function chooseAnchors(rules: readonly CompiledRule[]): Uint16Array[][] {
  const uses = new Map<string, number>();
  const texts = rules.map((rule) => literalsOf(rule).map((literals) => literals.map(codesToString)));
  for (const templates of texts) {
    for (const literals of templates) for (const piece of new Set(literals.flatMap(piecesOf))) uses.set(piece, (uses.get(piece) ?? 0) + 1);
  }
  return texts.map((templates) => templates.map((literals) => stringToCodes(rarest(literals.flatMap(piecesOf), uses))));
}

/** Every window of the anchor's length; a shorter literal is its own only window. */
function piecesOf(literal: string): string[] {
  if (literal.length <= anchorLength) return [literal];
  return Array.from({ length: literal.length - anchorLength + 1 }, (_, i) => literal.slice(i, i + anchorLength));
}

function rarest(pieces: string[], uses: ReadonlyMap<string, number>): string {
  let best = pieces[0]!;
  let bestCost = Infinity;
  for (const piece of pieces) {
    // A short piece is found by chance, so it counts as if many templates shared it.
    const cost = uses.get(piece)! + (anchorLength - piece.length) * 50;
    if (cost < bestCost) [best, bestCost] = [piece, cost];
  }
  return best;
}

function codesToString(codes: Uint16Array): string {
  return String.fromCharCode(...codes);
}

function stringToCodes(text: string): Uint16Array {
  return Uint16Array.from(text, (c) => c.charCodeAt(0));
}
