import { placeOf } from '../../platform/place-of.js';

/** How many connections may wait at a time. */
export interface WaitingLimits {
  /** From one address, or one network of IPv6. */
  ofPlace: number;
  ofAll: number;
}

/**
 * Counts connections that have not been let in yet. Anybody can open one and say nothing, so they must not take the places of those
 * who are known, nor one address those of all others.
 */
export class WaitingPlaces {
  readonly #ofPlace = new Map<string, number>();
  #all = 0;

  constructor(private readonly limits: WaitingLimits) {}

  /** Takes a place for a connection from an address. Returns how to give it back; undefined when there is none. */
  take(address: string): (() => void) | undefined {
    const place = placeOf(address);
    const { ofPlace, ofAll } = this.limits;
    if (this.#all >= ofAll || (this.#ofPlace.get(place) ?? 0) >= ofPlace) return undefined;
    this.#add(place, 1);
    let given = false;
    return () => {
      if (!given) this.#add(place, -1);
      given = true;
    };
  }

  #add(place: string, count: number): void {
    const held = (this.#ofPlace.get(place) ?? 0) + count;
    if (held > 0) this.#ofPlace.set(place, held);
    else this.#ofPlace.delete(place);
    this.#all += count;
  }
}
