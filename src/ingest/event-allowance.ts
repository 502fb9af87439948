/** What may come at once, in seconds of the allowed rate: a relist delivers what a cluster has, and then little. */
export const BURST_SECONDS = 60;
/** Holders above which full allowances are forgotten. */
const MOST_HOLDERS = 10_000;

interface Account {
  /** Events that may come now; below zero after a body that was larger than that. */
  balance: number;
  at: number;
}

/** Counts what each cluster sends against what it may send per second in the long run. Times are milliseconds. */
export class EventAllowance {
  readonly #accounts = new Map<number, Account>();

  /** Seconds until the cluster may send again; 0 when it may now. */
  waitFor(clusterId: number, perSecond: number, now: number): number {
    const balance = this.#balance(clusterId, perSecond, now);
    return balance > 0 ? 0 : (1 - balance) / perSecond;
  }

  /** Counts events that were taken; a negative number gives back those that were not after all. */
  charge(clusterId: number, events: number, perSecond: number, now: number): void {
    const balance = Math.min(this.#balance(clusterId, perSecond, now) - events, perSecond * BURST_SECONDS);
    this.#accounts.set(clusterId, { balance, at: now });
    if (this.#accounts.size > MOST_HOLDERS) this.#forgetFull(perSecond, now);
  }

  #balance(clusterId: number, perSecond: number, now: number): number {
    const full = perSecond * BURST_SECONDS;
    const account = this.#accounts.get(clusterId);
    return account ? Math.min(full, account.balance + (Math.max(0, now - account.at) / 1000) * perSecond) : full;
  }

  #forgetFull(perSecond: number, now: number): void {
    for (const id of this.#accounts.keys()) if (this.#balance(id, perSecond, now) >= perSecond * BURST_SECONDS) this.#accounts.delete(id);
  }
}
