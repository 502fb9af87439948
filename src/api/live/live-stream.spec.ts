import { describe, expect, it, vi } from 'vitest';
import { BusyError } from '../../pipeline/busy-error.js';
import type { ChangePosition } from '../../store/change-position.js';
import { LiveStream } from './live-stream.js';
import type { LiveChange, LiveEnd, LiveSource } from './live-stream.js';

const at = (xid: number): ChangePosition => ({ xid: String(xid), seq: '0' });
const change = (xid: number): LiveChange =>
  ({ change: { position: at(xid) }, incident: { id: String(xid) }, batch: {} }) as unknown as LiveChange;
const ids = ({ value }: { value: LiveChange[] | void }): string[] => (value ?? []).map(({ incident }) => incident.id);

/** Has `missed` to catch up with, in portions of two. */
class Source implements LiveSource {
  left: (LiveEnd | undefined)[] = [];
  joins = 0;
  constructor(
    private readonly missed: number[],
    /** Lets a stream join at this attempt. */
    private readonly joinsAt = 1,
  ) {}

  async catchUp({ position }: LiveStream, limit: number) {
    const found = this.missed.filter((xid) => xid > Number(position.xid)).slice(0, Math.min(2, limit));
    const more = found.length === 2;
    return { changes: found.map(change), end: at(more ? found.at(-1)! : 100), more };
  }

  join(): boolean {
    return ++this.joins >= this.joinsAt;
  }

  later(again: () => void): void {
    setImmediate(again);
  }

  leave(_stream: LiveStream, reason: LiveEnd | undefined): void {
    this.left.push(reason);
  }
}

function open(source: LiveSource, limit = 10, onCut?: (reason: LiveEnd) => void): LiveStream {
  return new LiveStream({ filter: {}, scope: { clusters: null, namespaces: null }, onCut }, source, limit, at(0));
}

describe('LiveStream', () => {
  it('reads what was missed before it lets itself be given more, until nothing came meanwhile', async () => {
    const source = new Source([1, 2, 3], 3);
    const stream = open(source);
    expect([ids(await stream.next()), ids(await stream.next())]).toEqual([['1', '2'], ['3']]);
    const waiting = stream.next();
    await new Promise(setImmediate);
    expect(source.joins).toBe(3);
    stream.push([change(101)], at(102));
    expect(ids(await waiting)).toEqual(['101']);
    void stream.next();
    expect(stream.idleAt).toEqual(at(102));
  });

  it('leaves out what it has read itself', async () => {
    const stream = open(new Source([1]));
    expect(ids(await stream.next())).toEqual(['1']);
    stream.push([change(1), change(90), change(101)], at(101));
    expect(ids(await stream.next())).toEqual(['101']);
  });

  it('tells no position to resume from while what it handed over is dealt with', async () => {
    const stream = open(new Source([]));
    await stream.catchUp();
    expect(stream.idleAt).toEqual(at(100));
    stream.push([change(101)], at(102));
    expect(stream.idleAt).toBeUndefined();
    await stream.next();
    expect(stream.idleAt).toBeUndefined();
    void stream.next();
    expect(stream.idleAt).toEqual(at(102));
  });

  it('waits while what it missed cannot be read', async () => {
    const source = new Source([1]);
    vi.spyOn(source, 'catchUp').mockRejectedValueOnce(new BusyError('the database is away', 1));
    expect(ids(await open(source).next())).toEqual(['1']);
  });

  it('is cut, and forgets what waits, when too much waits', async () => {
    const told: LiveEnd[] = [];
    const source = new Source([]);
    const stream = open(source, 3, (reason) => told.push(reason));
    await stream.catchUp();
    stream.push([change(101), change(102), change(103)], at(103));
    expect(told).toEqual([]);
    stream.push([change(104)], at(104));
    stream.push([change(105)], at(105));
    expect([told, source.left]).toEqual([['TOO_SLOW'], ['TOO_SLOW']]);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  it('can be returned from while it waits', async () => {
    const source = new Source([]);
    const stream = open(source);
    const waiting = stream.next();
    await stream.return();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(source.left).toEqual([undefined]);
  });

  it('gives portions of a bounded size', async () => {
    const stream = open(new Source([]), 1000);
    await stream.catchUp();
    stream.push(
      Array.from({ length: 120 }, (_, i) => change(101 + i)),
      at(300),
    );
    expect([ids(await stream.next()).length, ids(await stream.next()).length, ids(await stream.next()).length]).toEqual([50, 50, 20]);
  });
});
