import { describe, expect, it } from 'vitest';
import { FairTurns, NoTurnError } from './fair-turns.service.js';

const LONG = 60_000;

/** Work that ends when it is told to. */
class Held {
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();

  constructor(private readonly turns: FairTurns) {}

  /** Asks for a turn for work of a name. */
  ask(caller: string | undefined, name: string): Promise<void> {
    return this.turns.run(caller, () => {
      this.begun.push(name);
      return new Promise((end) => this.#ends.set(name, end));
    });
  }

  /** Ends work, and lets what follows from that happen. */
  async end(name: string): Promise<void> {
    this.#ends.get(name)!();
    await new Promise(setImmediate);
  }
}

describe('turns', () => {
  it('leave one to others, however much a caller asks for', async () => {
    const turns = new FairTurns({ turns: 3, patience: LONG });
    const held = new Held(turns);
    for (const name of ['a1', 'a2', 'a3', 'a4']) void held.ask('a', name);
    expect(held.begun).toEqual(['a1', 'a2']);
    expect(turns.waiting).toBe(2);
    void held.ask('b', 'b1');
    expect(held.begun).toEqual(['a1', 'a2', 'b1']);
    // It stays free for others when nobody else asks.
    await held.end('b1');
    expect(held.begun).toHaveLength(3);
    await held.end('a1');
    expect(held.begun.at(-1)).toBe('a3');
  });

  it('go round among the callers who wait', async () => {
    const held = new Held(new FairTurns({ turns: 2, patience: LONG }));
    for (const name of ['a1', 'a2', 'a3']) void held.ask('a', name);
    for (const name of ['b1', 'b2', 'b3']) void held.ask('b', name);
    void held.ask('c', 'c1');
    expect(held.begun).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'a2', 'b1', 'b2', 'c1']) await held.end(name);
    expect(held.begun).toEqual(['a1', 'b1', 'a2', 'c1', 'b2', 'a3', 'b3']);
  });

  it('are all for what is asked for by nobody in particular, and for whoever is there when there is but one', async () => {
    const held = new Held(new FairTurns({ turns: 2, patience: LONG }));
    for (const name of ['1', '2', '3']) void held.ask(undefined, name);
    expect(held.begun).toEqual(['1', '2']);
    const single = new Held(new FairTurns({ turns: 1, patience: LONG }));
    void single.ask('a', 'a1');
    void single.ask('b', 'b1');
    expect(single.begun).toEqual(['a1']);
    await single.end('a1');
    expect(single.begun).toEqual(['a1', 'b1']);
  });

  it('do not come after the patience, and are not lost to who has gone', async () => {
    const turns = new FairTurns({ turns: 1, patience: 20 });
    const held = new Held(turns);
    const first = held.ask('a', 'a1');
    await expect(held.ask('b', 'b1')).rejects.toBeInstanceOf(NoTurnError);
    expect(turns.waiting).toBe(0);
    await held.end('a1');
    await first;
    void held.ask('b', 'b2');
    expect(held.begun).toEqual(['a1', 'b2']);
  });

  it('come back from work that failed', async () => {
    const turns = new FairTurns({ turns: 1, patience: LONG });
    await expect(turns.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(turns.run('b', () => Promise.resolve(7))).resolves.toBe(7);
  });
});
