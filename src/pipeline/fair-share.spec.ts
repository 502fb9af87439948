import { describe, expect, it } from 'vitest';
import { FairShare, isClaim } from './fair-share.js';
import type { Claim } from './fair-share.js';

const [A, B, C] = [1, 2, 3];

/** Takes pieces of ten until no more are given; tells how many were. */
function fill(share: FairShare, holder: number, now = 0): Claim[] {
  const claims: Claim[] = [];
  for (;;) {
    const answer = share.take(holder, 10, now);
    if (!isClaim(answer)) return claims;
    claims.push(answer);
  }
}

describe('FairShare', () => {
  it('gives one alone half of the room, and leaves the rest to whoever comes', () => {
    const share = new FairShare(600);
    expect(fill(share, A)).toHaveLength(30);
    expect(fill(share, B)).toHaveLength(15);
    expect(share.heldBy(A)).toBe(300);
    expect(share.total).toBe(450);
    expect(isClaim(share.take(C, 70, 0))).toBe(true);
  });

  it('comes to equal shares when holders give back and take again', () => {
    const share = new FairShare(600);
    const held = new Map([A, B].map((holder) => [holder, fill(share, holder)]));
    for (let round = 0; round < 100; round++) {
      for (const [holder, claims] of held) {
        claims.shift()?.release(10);
        claims.push(...fill(share, holder));
      }
    }
    expect([share.heldBy(A), share.heldBy(B)]).toEqual([200, 200]);
  });

  it('says how much has to go before so much fits', () => {
    const share = new FairShare(100);
    fill(share, A);
    expect(share.take(A, 10, 0)).toEqual({ excess: 10 });
    expect(share.refuses(A, 10, 0)).toEqual({ excess: 10 });
    expect(share.refuses(B, 10, 0)).toBeUndefined();
    expect(share.total).toBe(50);
  });

  it('gives what fits nowhere the one place beside the room, and hinders nobody by it', () => {
    const share = new FairShare(100);
    const large = share.take(A, 5000, 0);
    expect(isClaim(large)).toBe(true);
    expect(isClaim(share.take(A, 1, 0))).toBe(false);
    expect(isClaim(share.take(B, 5000, 0))).toBe(false);
    expect(fill(share, B)).toHaveLength(5);
    (large as Claim).release(4000);
    expect(share.total).toBe(1050);
    (large as Claim).release(Infinity);
    expect([share.total, share.heldBy(A)]).toEqual([50, 0]);
  });

  it('keeps the turn at that place for who was refused it, for a while', () => {
    const share = new FairShare(100);
    const first = share.take(A, 500, 0) as Claim;
    share.take(B, 500, 1_000);
    first.release(500);
    expect(isClaim(share.take(A, 500, 2_000))).toBe(false);
    const second = share.take(B, 500, 20_000);
    expect(isClaim(second)).toBe(true);
    share.take(A, 500, 21_000);
    (second as Claim).release(500);
    // A does not come back for its turn.
    expect(isClaim(share.take(B, 500, 50_999))).toBe(false);
    expect(isClaim(share.take(B, 500, 51_000))).toBe(true);
  });

  it('leaves that place to its next holder when an empty claim is released once more', () => {
    const share = new FairShare(100);
    const first = share.take(A, 500, 0) as Claim;
    first.release(500);
    const second = share.take(B, 500, 0) as Claim;
    first.release(500);
    expect([share.total, isClaim(share.take(A, 500, 0))]).toEqual([500, false]);
    second.release(500);
    expect(share.total).toBe(0);
  });

  it('gives nothing back twice', () => {
    const share = new FairShare(100);
    const claim = share.take(A, 10, 0) as Claim;
    for (const weight of [4, 4, 4, 10]) claim.release(weight);
    expect([share.total, share.heldBy(A)]).toEqual([0, 0]);
    expect(fill(share, A)).toHaveLength(5);
  });
});
