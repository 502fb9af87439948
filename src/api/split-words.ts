/** A word of a text, in the forms under which it is found. */
export interface Word {
  /** As a whole, in lower case: `service.kubernetes.io/tke-existed-lbid`, `imagepullbackoff`. */
  whole: string;
  /** What it is made of, in lower case: `service`, `kubernetes`, `io`, ...; for Chinese its pairs of characters. Empty for a simple word. */
  parts: readonly string[];
  /** Single characters of a Chinese run; empty for other words. */
  characters: readonly string[];
}

const HAN_RUN = /(\p{Script=Han}+)/u;
const LATIN_WORD = /[\p{L}\p{N}]+(?:[-_./:@+]+[\p{L}\p{N}]+)*/gu;
const CAMEL = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;
/** Where a compound is cut, from the outside in. */
const SEAMS = [/[/:@+]+/, /\.+/, /[-_]+/];

/**
 * The words of a text. Chinese has no spaces: a run of Chinese characters is one word, found by its overlapping pairs
 * of characters, which needs no dictionary and gives the same on every platform. Other words are cut at white space
 * and punctuation; names such as `a.b/c-d` and `ImagePullBackOff` are kept whole and in parts.
 *
 * @param known words that were cut before; many texts share it so as not to cut each word again
 */
export function splitWords(text: string, known = new Map<string, Word>()): Word[] {
  const pieces = text.normalize('NFKC').split(HAN_RUN);
  return pieces.flatMap((piece, i) => {
    if (i % 2 === 1) return [hanWord(piece)];
    return (piece.match(LATIN_WORD) ?? []).map((text) => {
      let word = known.get(text);
      if (!word) known.set(text, (word = latinWord(text)));
      return word;
    });
  });
}

/** The text as phrases are compared: lower case, white space as single blanks, none beside Chinese, where writers differ. */
export function flatten(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/(?<=\p{Script=Han})\s+|\s+(?=\p{Script=Han})/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function hanWord(run: string): Word {
  const characters = [...run];
  const pairs = characters.slice(1).map((character, i) => characters[i]! + character);
  return { whole: run, parts: pairs, characters };
}

function latinWord(word: string): Word {
  const parts = new Set<string>();
  let pieces = [word];
  for (const seam of SEAMS) {
    const finer = pieces.flatMap((piece) => piece.split(seam)).filter(Boolean);
    if (finer.length > pieces.length) for (const piece of finer) parts.add(stem(piece.toLowerCase()));
    pieces = finer;
  }
  for (const piece of pieces) {
    const humps = /^[A-Za-z]+$/.test(piece) ? (piece.match(CAMEL) ?? []) : [];
    if (humps.length > 1 && humps.every((hump) => hump.length > 1)) for (const hump of humps) parts.add(stem(hump.toLowerCase()));
  }
  const whole = word.toLowerCase();
  return { whole: parts.size > 0 ? whole : stem(whole), parts: [...parts], characters: [] };
}

/** Takes the commonest English endings off, so that "expired" finds "expires". Names with digits stay as they are. */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word) || /(ss|us|is)$/.test(word)) return word;
  const root = word.replace(/ies$/, 'y').replace(/(?<=...)(ing|ed|es|s)$/, '');
  return root.replace(/(?<=..)([bdgmnprt])\1$/, '$1').replace(/(?<=...)e$/, '');
}
