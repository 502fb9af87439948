/** Wrong tokens that come from somewhere, as a bucket that empties by itself. */
interface Bucket {
  /** How full it was at `at`. */
  level: number;
  at: number;
}

/** How much a bucket bears at once, and how fast it empties again. */
interface Allowance {
  burst: number;
  /** Milliseconds for each. */
  every: number;
}

/** Of one address: 100 at once, as many senders behind one address may come after a restart; then one every two seconds. */
const OF_ADDRESS: Allowance = { burst: 100, every: 2_000 };
/** Of all addresses together: 2,000 at once, then 50 a second. */
const OF_ALL: Allowance = { burst: 2_000, every: 20 };
/** Longest wait before a token that was never good is looked at, milliseconds. */
const LONGEST_WAIT = 10_000;
const MOST_ADDRESSES = 10_000;
const MOST_GOOD = 20_000;

/**
 * Counts wrong tokens, and tells how long whoever sends one more has to wait for its check. What was good once is checked at once from
 * wherever it comes, so that neighbours behind one address are not locked out by one of them. Bounded: the oldest entries give way.
 */
export class FailedTokens {
  readonly #addresses = new Map<string, Bucket>();
  readonly #good = new Set<string>();
  #all: Bucket = { level: 0, at: 0 };

  /**
   * Takes a turn for the check of a token. Returns how long to wait for it in milliseconds, or undefined when so many are waiting that
   * no turn is to be had.
   */
  turn(key: string, address: string, now: number): number | undefined {
    if (this.#good.has(key)) return 0;
    const place = placeOf(address);
    const bucket = drained(this.#addresses.get(place), OF_ADDRESS, now);
    const all = drained(this.#all, OF_ALL, now);
    const wait = Math.max(waitOf(bucket, OF_ADDRESS), waitOf(all, OF_ALL));
    if (wait > LONGEST_WAIT) return undefined;
    bucket.level++;
    all.level++;
    this.#all = all;
    this.#addresses.delete(place);
    if (this.#addresses.size >= MOST_ADDRESSES) this.#addresses.delete(this.#addresses.keys().next().value!);
    this.#addresses.set(place, bucket);
    return wait;
  }

  /** Gives the turn back, for a token that was not wrong. One that was good before took none. */
  giveBack(key: string, address: string): void {
    if (this.#good.has(key)) return;
    const bucket = this.#addresses.get(placeOf(address));
    if (bucket) bucket.level = Math.max(0, bucket.level - 1);
    this.#all.level = Math.max(0, this.#all.level - 1);
  }

  /** Notes that a token was good, and gives its turn back. */
  good(key: string, address: string): void {
    if (this.#good.has(key)) return;
    this.giveBack(key, address);
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

function drained(bucket: Bucket | undefined, { every }: Allowance, now: number): Bucket {
  if (!bucket) return { level: 0, at: now };
  return { level: Math.max(0, bucket.level - Math.max(0, now - bucket.at) / every), at: Math.max(now, bucket.at) };
}

function waitOf({ level }: Bucket, { burst, every }: Allowance): number {
  return level < burst ? 0 : Math.ceil((level - burst + 1) * every);
}

/** Whoever has one address of IPv6 has all of its /64. */
function placeOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4).join(':');
}
