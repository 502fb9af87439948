import { describe, expect, it } from 'vitest';
import type { SharedLease, SharingReplica } from './share-leases.js';
import { shareLeases } from './share-leases.js';

const stored = (id: string): SharingReplica => ({ id, configured: [], opensStored: true });
const configured = (id: string, ...clusters: number[]): SharingReplica => ({ id, configured: clusters, opensStored: false });
const lease = (clusterId: number, holder: string | null = null): SharedLease => ({ clusterId, stored: true, holder });

/** Lets every replica act on the same rows, again and again, until nobody wants anything. */
function settle(replicas: readonly SharingReplica[], leases: readonly SharedLease[]): { held: Record<string, number[]>; rounds: number } {
  let now = leases.map((each) => ({ ...each }));
  for (let rounds = 0; ; rounds++) {
    if (rounds > 10) throw new Error('the replicas do not come to rest');
    const decisions = replicas.map(({ id }) => ({ id, ...shareLeases(id, replicas, now) }));
    if (decisions.every(({ take, giveBack }) => take.length + giveBack.length === 0)) {
      const held = replicas.map(({ id }) => [id, now.filter(({ holder }) => holder === id).map(({ clusterId }) => clusterId)]);
      return { held: Object.fromEntries(held) as Record<string, number[]>, rounds };
    }
    now = now.map((each) => {
      const takers = decisions.filter(({ take }) => take.includes(each.clusterId));
      expect(takers.length).toBeLessThan(2);
      const given = decisions.some(({ giveBack }) => giveBack.includes(each.clusterId));
      return { ...each, holder: takers[0]?.id ?? (given ? null : each.holder) };
    });
  }
}

describe('shareLeases', () => {
  it('takes everything when it is alone', () => {
    expect(shareLeases('a', [stored('a')], [lease(1), lease(2), lease(3)])).toEqual({ take: [1, 2, 3], giveBack: [] });
  });

  it('leaves what a live replica holds, and takes what a dead one held', () => {
    expect(shareLeases('a', [stored('a'), stored('b')], [lease(1, 'b'), lease(2, 'a')])).toEqual({ take: [], giveBack: [] });
    expect(shareLeases('a', [stored('a')], [lease(1), lease(2, 'a')])).toEqual({ take: [1], giveBack: [] });
  });

  it('shares free clusters out so that no two replicas want the same', () => {
    const { held, rounds } = settle(
      [stored('a'), stored('b')],
      [1, 2, 3, 4, 5].map((id) => lease(id)),
    );
    expect(held).toEqual({ a: [1, 3, 5], b: [2, 4] });
    expect(rounds).toBe(1);
  });

  it('gives back what is too much when another comes', () => {
    const leases = [lease(1, 'a'), lease(2, 'a'), lease(3, 'a')];
    expect(shareLeases('a', [stored('a'), stored('b')], leases)).toEqual({ take: [], giveBack: [3] });
    expect(shareLeases('b', [stored('a'), stored('b')], leases)).toEqual({ take: [], giveBack: [] });
    expect(settle([stored('a'), stored('b')], leases).held).toEqual({ a: [1, 2], b: [3] });
  });

  it('moves no more than it has to', () => {
    const many = Array.from({ length: 20 }, (_, i) => lease(i + 1, 'abcdefghij'[i % 10]!));
    const replicas = [...'abcdefghij', 'k'].map(stored);
    const moved = replicas.flatMap(({ id }) => shareLeases(id, replicas, many).giveBack);
    expect(moved).toHaveLength(1);
  });

  it('keeps what nobody else can watch, and takes it even above its share', () => {
    const replicas = [configured('a', 1, 2, 3), configured('b', 4)];
    const { held } = settle(
      replicas,
      [1, 2, 3, 4].map((id) => ({ clusterId: id, stored: false, holder: null })),
    );
    expect(held).toEqual({ a: [1, 2, 3], b: [4] });
  });

  it('leaves a stored credential to those who have the key', () => {
    const replicas = [configured('a'), stored('b')];
    expect(settle(replicas, [lease(1), lease(2), lease(3)]).held).toEqual({ a: [], b: [1, 2, 3] });
  });

  it('leaves free what nobody can watch', () => {
    expect(shareLeases('a', [configured('a')], [lease(1)])).toEqual({ take: [], giveBack: [] });
  });

  it('comes to rest whatever the replicas can do', () => {
    const replicas = [configured('a', 1, 2, 3, 4, 5, 6), configured('b', 5, 6, 7), stored('c'), configured('d')];
    const leases = Array.from({ length: 9 }, (_, i) => ({ clusterId: i + 1, stored: i > 6, holder: i % 2 ? 'a' : null }));
    const { held } = settle(replicas, leases);
    expect(
      Object.values(held)
        .flat()
        .toSorted((x, y) => x - y),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(held['c']).toEqual([8, 9]);
  });
});
