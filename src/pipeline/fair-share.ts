/** Room that was given; it is given back as what took it goes. */
export interface Claim {
  /** Gives back part of what was taken, or all of it. */
  release(weight: number): void;
}

/** Told that there is no room: what has to go first, in the weight that was asked for. */
export interface NoRoom {
  excess: number;
}

/** How long a turn at the extra place is kept for who was refused it, milliseconds: senders come back within. */
const TURN_MS = 30_000;

/**
 * Shares room among holders of unknown number, so that a greedy one leaves some to others. A holder may have as much as is still
 * free: one alone gets half of the room, two a third each, and whoever is new finds the rest. Whoever holds nothing and yet
 * does not fit (a large body, a late comer) gets the one extra place beside the room, in turns.
 */
export class FairShare {
  readonly #held = new Map<number, number>();
  #shared = 0;
  #extra: { holder: number; weight: number } | undefined;
  #next: { holder: number; until: number } | undefined;

  constructor(private readonly capacity: number) {}

  /** Everything that is held. */
  get total(): number {
    return this.#shared + (this.#extra?.weight ?? 0);
  }

  /** What one holder has. */
  heldBy(holder: number): number {
    return this.#held.get(holder) ?? 0;
  }

  /** Whether so much would be refused a holder at `now`, milliseconds; undefined when it would not. Takes nothing. */
  refuses(holder: number, weight: number, now: number): NoRoom | undefined {
    if (this.#fits(holder, weight) || this.#mayTakeExtra(holder, now)) return undefined;
    return { excess: Math.max(1, this.heldBy(holder) + weight - (this.capacity - this.#shared)) };
  }

  /** Takes room for a holder at `now`, milliseconds. */
  take(holder: number, weight: number, now: number): Claim | NoRoom {
    if (this.#fits(holder, weight)) {
      this.#shared += weight;
      return this.#claim(holder, weight, (given) => (this.#shared -= given));
    }
    if (this.#mayTakeExtra(holder, now)) {
      this.#next = undefined;
      const extra = (this.#extra = { holder, weight });
      return this.#claim(holder, weight, (given) => {
        extra.weight -= given;
        // A claim may be released again when it is empty, and the place may be another's by then.
        if (extra.weight === 0 && this.#extra === extra) this.#extra = undefined;
      });
    }
    if (this.heldBy(holder) === 0 && (this.#next === undefined || this.#next.until <= now)) this.#next = { holder, until: now + TURN_MS };
    return this.refuses(holder, weight, now) ?? { excess: 1 };
  }

  #fits(holder: number, weight: number): boolean {
    return this.heldBy(holder) + weight <= this.capacity - this.#shared;
  }

  #mayTakeExtra(holder: number, now: number): boolean {
    if (this.#extra || this.heldBy(holder) > 0) return false;
    return this.#next === undefined || this.#next.holder === holder || this.#next.until <= now;
  }

  #claim(holder: number, weight: number, giveBack: (weight: number) => void): Claim {
    let left = weight;
    this.#held.set(holder, this.heldBy(holder) + weight);
    return {
      release: (wanted) => {
        const given = Math.min(wanted, left);
        left -= given;
        const held = this.heldBy(holder) - given;
        if (held > 0) this.#held.set(holder, held);
        else this.#held.delete(holder);
        giveBack(given);
      },
    };
  }
}

/** True for room that was given. */
export function isClaim(answer: Claim | NoRoom): answer is Claim {
  return 'release' in answer;
}
