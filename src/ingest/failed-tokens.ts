import { placeOf } from '../platform/place-of.js';

/** How much a bucket bears at once, and how fast it empties again. */
interface Allowance {
  burst: number;
  /** Milliseconds for each. */
  every: number;
}

/** Of one address: 100 at once, as many senders behind one address may come after a restart; then one every two seconds. */
const OF_ADDRESS: Allowance = { burst: 100, every: 2_000 };
/** Of all addresses together, where it could be guessed: 2,000 at once, then 50 a second. */
const OF_ALL: Allowance = { burst: 2_000, every: 20 };
/** Longest wait before a token that was never good is looked at, milliseconds. */
export const LONGEST_WAIT = 10_000;
const MOST_ADDRESSES = 10_000;
const MOST_GOOD = 20_000;

/** The turn of a token that was never good. */
export interface Turn {
  /** Time until it comes, milliseconds. */
  wait: number;
  /** Whoever shares it: an address, or a network of IPv6. */
  place: string;
  /** Gives it back, for a token that was not wrong. */
  giveBack(): void;
}

/**
 * Counts wrong tokens, and tells how long whoever sends one more has to wait for its check. What was good once is known, so that
 * neighbours behind one address are not locked out by one of them. Bounded: the oldest entries give way.
 */
export class FailedTokens {
  readonly #addresses = new Map<string, Bucket>();
  readonly #good = new Set<string>();
  readonly #all = new Bucket(OF_ALL);

  /**
   * Takes a turn for the check of a token. One that could be `guessed` waits for those of all other addresses too. Returns undefined
   * when so many are waiting that no turn is to be had.
   */
  turn(address: string, now: number, guessed: boolean): Turn | undefined {
    const place = placeOf(address);
    const own = this.#addresses.get(place) ?? new Bucket(OF_ADDRESS);
    const buckets = guessed ? [own, this.#all] : [own];
    const wait = Math.max(...buckets.map((bucket) => bucket.wait(now)));
    if (wait > LONGEST_WAIT) return undefined;
    for (const bucket of buckets) bucket.add(1);
    this.#addresses.delete(place);
    if (this.#addresses.size >= MOST_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value!);
    this.#addresses.set(place, own);
    return { wait, place, giveBack: () => buckets.forEach((bucket) => bucket.add(-1)) };
  }

  /** Whether a token was good when it was checked last. */
  isGood(key: string): boolean {
    return this.#good.has(key);
  }

  /** Notes that a token was good. */
  good(key: string): void {
    if (this.#good.has(key)) return;
    if (this.#good.size >= MOST_GOOD) this.#good.delete(this.#good.keys().next().value!);
    this.#good.add(key);
  }

  /** Notes that a token is not good any more, so that it counts like any other. */
  notGood(key: string): void {
    this.#good.delete(key);
  }

  /** Number of addresses that are remembered. */
  get size(): number {
    return this.#addresses.size;
  }
}

/** Wrong tokens that come from somewhere, as a bucket that empties by itself. */
class Bucket {
  /** How full it was at `at`. */
  #level = 0;
  #at = 0;

  constructor(private readonly allowance: Allowance) {}

  /** Time until there is room for one more, milliseconds. */
  wait(now: number): number {
    const { burst, every } = this.allowance;
    this.#level = Math.max(0, this.#level - Math.max(0, now - this.#at) / every);
    this.#at = Math.max(now, this.#at);
    return this.#level < burst ? 0 : Math.ceil((this.#level - burst + 1) * every);
  }

  add(count: number): void {
    this.#level = Math.max(0, this.#level + count);
  }
}
