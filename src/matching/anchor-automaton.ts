/**
 * Aho-Corasick automaton over short pieces of text. It finds every piece of thousands in one walk over an event's text.
 * Rare characters share classes, so it may find a piece that is not there, but never misses one that is.
 */
export interface AnchorAutomaton {
  /** Next state for each state and character class. */
  next: Uint32Array;
  /** For each state the first of its entries in `found`; one more at the end. */
  firstFound: Uint32Array;
  /** Numbers of the pieces that end in a state. */
  found: Uint32Array;
}

const CLASS_BITS = 6;
const CLASSES = 1 << CLASS_BITS;

/** Letters and digits have classes of their own; the other characters share the rest. */
const asciiClass = new Uint8Array(128).map((_, code) => {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return 36 + (code % 28);
});

/** Builds the automaton; a piece's position in the list is its number. Empty pieces are refused. */
export function buildAnchorAutomaton(pieces: readonly Uint16Array[]): AnchorAutomaton {
  const total = pieces.reduce((sum, piece) => sum + piece.length, 1);
  const next = new Uint32Array(total * CLASSES);
  const own: number[][] = [[]];
  let states = 1;
  for (const [number, piece] of pieces.entries()) {
    if (piece.length === 0) throw new RangeError('an anchor needs at least one character');
    let state = 0;
    for (const code of piece) {
      const edge = (state << CLASS_BITS) | classOf(code);
      if (next[edge] === 0) {
        next[edge] = states++;
        own.push([]);
      }
      state = next[edge]!;
    }
    own[state]!.push(number);
  }
  completeEdges(next, own, states);
  const firstFound = new Uint32Array(states + 1);
  for (let state = 0; state < states; state++) firstFound[state + 1] = firstFound[state]! + own[state]!.length;
  return { next: next.slice(0, states * CLASSES), firstFound, found: Uint32Array.from(own.flat()) };
}

/** Breadth first: a missing edge becomes that of the longest proper ending, whose pieces end here too. */
function completeEdges(next: Uint32Array, own: number[][], states: number): void {
  const fail = new Uint32Array(states);
  const queue = new Uint32Array(states);
  let tail = 0;
  for (let c = 0; c < CLASSES; c++) if (next[c] !== 0) queue[tail++] = next[c]!;
  for (let head = 0; head < tail; head++) {
    const state = queue[head]!;
    const inherited = own[fail[state]!]!;
    if (inherited.length > 0) own[state] = [...own[state]!, ...inherited];
    for (let c = 0; c < CLASSES; c++) {
      const edge = (state << CLASS_BITS) | c;
      const otherwise = next[(fail[state]! << CLASS_BITS) | c]!;
      if (next[edge] === 0) next[edge] = otherwise;
      else {
        fail[next[edge]!] = otherwise;
        queue[tail++] = next[edge]!;
      }
    }
  }
}

/** Calls `hit` with the number of each piece found, as often as it is found. */
export function scanAnchors(automaton: AnchorAutomaton, codes: Uint16Array, length: number, hit: (piece: number) => void): void {
  const { next, firstFound, found } = automaton;
  let state = 0;
  for (let i = 0; i < length; i++) {
    state = next[(state << CLASS_BITS) | classOf(codes[i]!)]!;
    const end = firstFound[state + 1]!;
    for (let f = firstFound[state]!; f < end; f++) hit(found[f]!);
  }
}

function classOf(code: number): number {
  return code < 128 ? asciiClass[code]! : 36 + (code % 28);
}
