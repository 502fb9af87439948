import { flatten, splitWords } from './split-words.js';
import type { Word } from './split-words.js';
import { withinOneEdit } from './within-one-edit.js';

/** A text of a document, one statement a line, and how much a word weighs that stands there. */
export interface Field {
  text: string;
  weight: number;
}

/** A document to be found. */
export interface Document<T> {
  item: T;
  /** Names that mean this document: a search for exactly one of them ranks above everything. */
  names: readonly string[];
  fields: readonly Field[];
}

/** A document that was found, and how well it fits; higher is better. */
export interface Hit<T> {
  item: T;
  score: number;
}

type Scores = Map<number, number>;

const MAX_WORDS = 30;
/** Words of a query that may all be asked for; of more, most are enough. */
const ALL_NEEDED = 3;
const MOST = 0.6;
const MAX_PREFIXED = 40;
const MAX_MISSPELT = 3;
/** BM25: how fast repetition stops counting, and how much long texts count less. */
const K1 = 4;
const B = 0.5;
const EXACT = 1000;
const STOP_WORDS = new Set(
  'a an and are as at be by for from how in is it its of on or the to was what when why with without not no do does can'.split(' '),
);

/**
 * Finds documents by words, ranked after BM25 with weighted fields. Built once for a set of documents; a search then
 * touches only those that hold its words.
 */
export class SearchIndex<T> {
  readonly #documents: readonly Document<T>[];
  readonly #flat: readonly (readonly Field[])[];
  /** For each term the documents that hold it, with the weighted number of times. */
  readonly #postings = new Map<string, Scores>();
  readonly #terms: readonly string[];
  readonly #named = new Map<string, number[]>();

  constructor(documents: readonly Document<T>[]) {
    this.#documents = documents;
    this.#flat = documents.map(({ fields }) =>
      fields.map(({ text, weight }) => ({ text: `\n${text.split('\n').map(flatten).join('\n')}\n`, weight })),
    );
    const average: number[] = [];
    const known = new Map<string, Word>();
    const split = documents.map(({ fields }) => fields.map(({ text }) => splitWords(text, known).flatMap(termsOf)));
    for (const fields of split) for (const [i, terms] of fields.entries()) average[i] = (average[i] ?? 0) + terms.length / documents.length;
    for (const [at, fields] of split.entries()) {
      for (const [i, terms] of fields.entries()) {
        const each = documents[at]!.fields[i]!.weight / (1 - B + (B * terms.length) / (average[i] || 1));
        for (const term of terms) this.#count(term, at, each);
      }
      for (const name of documents[at]!.names) this.#named.set(flatten(name), [...(this.#named.get(flatten(name)) ?? []), at]);
    }
    this.#terms = [...this.#postings.keys()].sort();
  }

  /** The documents that fit a query, best first; equals stay in the order of the documents. Empty without any word. */
  search(query: string): Hit<T>[] {
    const words = distinct(splitWords(query)).slice(0, MAX_WORDS);
    const needed = words.filter(({ whole }) => !STOP_WORDS.has(whole));
    const counted = needed.length > 0 ? needed : words;
    const enough = counted.length <= ALL_NEEDED ? counted.length : Math.ceil(counted.length * MOST);
    const found = new Map<number, { score: number; words: number }>();
    let misspelt = 0;
    for (const word of words) {
      let scores = this.#scoresOf(word);
      if (scores.size === 0 && misspelt++ < MAX_MISSPELT) scores = this.#misspelt(word);
      for (const [at, score] of scores) {
        const sofar = found.get(at) ?? { score: 0, words: 0 };
        found.set(at, { score: sofar.score + score, words: sofar.words + (counted.includes(word) ? 1 : 0) });
      }
    }
    const flat = flatten(query);
    for (const at of this.#named.get(flat) ?? []) found.set(at, { score: EXACT, words: Infinity });
    return [...found]
      .filter(([, { words: held }]) => held >= enough && held > 0)
      .map(([at, { score, words: held }]) => ({
        at,
        score: held === Infinity ? score : score * (held / counted.length) + this.#phrase(at, flat),
      }))
      .sort((a, b) => b.score - a.score || a.at - b.at)
      .map(({ at, score }) => ({ item: this.#documents[at]!.item, score }));
  }

  #count(term: string, at: number, weight: number): void {
    let posting = this.#postings.get(term);
    if (!posting) this.#postings.set(term, (posting = new Map()));
    posting.set(at, (posting.get(at) ?? 0) + weight);
  }

  #scoresOf(word: Word): Scores {
    if (word.characters.length > 0) return this.#han(word);
    const scores = this.#term(word.whole, word.parts.length > 0 ? 1.5 : 1);
    if (word.parts.length === 0) return scores;
    const parts = word.parts.map((part) => this.#term(part, 0.5));
    for (const at of parts[0]!.keys()) {
      if (parts.every((part) => part.has(at))) scores.set(at, (scores.get(at) ?? 0) + parts.reduce((sum, part) => sum + part.get(at)!, 0));
    }
    return scores;
  }

  /** A Chinese run is found where half of its pairs stand and nearly all of its characters do. */
  #han({ parts, characters }: Word): Scores {
    const held = new Map<number, { pairs: number; characters: number; score: number }>();
    const add = (terms: readonly string[], what: 'pairs' | 'characters', share: number): void => {
      for (const term of new Set(terms)) {
        for (const [at, score] of this.#exact(term, share)) {
          const sofar = held.get(at) ?? { pairs: 0, characters: 0, score: 0 };
          held.set(at, { ...sofar, [what]: sofar[what] + 1, score: sofar.score + score });
        }
      }
    };
    add(parts, 'pairs', 1);
    add(characters, 'characters', parts.length > 0 ? 0.3 : 1);
    const [pairs, singles] = [new Set(parts).size, new Set(characters).size];
    const fits = (found: { pairs: number; characters: number }): boolean =>
      found.pairs >= Math.ceil(pairs / 2) && found.characters >= (singles <= 4 ? singles : Math.ceil(singles * 0.7));
    return new Map([...held].filter(([, found]) => fits(found)).map(([at, { score }]) => [at, score]));
  }

  /** Documents that hold the term, or less well a longer one that begins with it. */
  #term(term: string, share: number): Scores {
    const scores = this.#exact(term, share);
    if (term.length < 3) return scores;
    const from = lowerBound(this.#terms, term);
    for (let i = from; i < from + MAX_PREFIXED && this.#terms[i]?.startsWith(term); i++) {
      if (this.#terms[i] !== term) keepBest(scores, this.#exact(this.#terms[i]!, share * 0.4));
    }
    return scores;
  }

  #misspelt({ whole, parts }: Word): Scores {
    const scores: Scores = new Map();
    if (parts.length > 0 || !/^[a-z]{5,30}$/.test(whole)) return scores;
    for (const term of this.#terms) if (withinOneEdit(term, whole)) keepBest(scores, this.#exact(term, 0.6));
    return scores;
  }

  #exact(term: string, share: number): Scores {
    const posting = this.#postings.get(term);
    if (!posting) return new Map();
    const rarity = Math.log(1 + (this.#documents.length - posting.size + 0.5) / (posting.size + 0.5));
    return new Map([...posting].map(([at, times]) => [at, (share * rarity * times * (K1 + 1)) / (times + K1)]));
  }

  /** What it is worth that the query stands somewhere word for word, and more so as a whole line. */
  #phrase(at: number, flat: string): number {
    if (flat.length < 2) return 0;
    const worth = this.#flat[at]!.map(({ text, weight }) =>
      !text.includes(flat) ? 0 : text.includes(`\n${flat}\n`) ? 2 * weight : weight,
    );
    return Math.max(0, ...worth);
  }
}

function termsOf({ whole, parts, characters }: Word): string[] {
  return characters.length > 0 ? [...parts, ...characters] : [whole, ...parts];
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.whole, word])).values()];
}

function keepBest(scores: Scores, others: Scores): void {
  for (const [at, score] of others) if (score > (scores.get(at) ?? 0)) scores.set(at, score);
}

/** Position of the first of the sorted texts that is not before `text`. */
function lowerBound(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
