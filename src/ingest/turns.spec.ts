import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

describe('Turns', () => {
  it('lets a late comer in before the rest of a long line', async () => {
    const turns = new Turns(1);
    const order: string[] = [];
    const work = [...Array.from({ length: 5 }, (_, i) => turns.run(1, () => order.push(`a${i}`))), turns.run(2, () => order.push('b0'))];
    expect(turns.size).toBe(6);
    await Promise.all(work);
    expect(order.filter((one) => one !== 'b0')).toEqual(['a0', 'a1', 'a2', 'a3', 'a4']);
    expect(order.indexOf('b0')).toBeLessThanOrEqual(2);
    expect(turns.size).toBe(0);
  });

  it('runs one of each holder at a time, and no more than it may in all', async () => {
    const turns = new Turns(2);
    const running = new Map<number, number>();
    let most = 0;
    const work = async (holder: number): Promise<void> => {
      expect(running.get(holder) ?? 0).toBe(0);
      running.set(holder, 1);
      most = Math.max(
        most,
        [...running.values()].reduce((a, b) => a + b),
      );
      await new Promise((resolve) => setImmediate(resolve));
      running.set(holder, 0);
    };
    await Promise.all([1, 1, 2, 3, 3, 3, 4].map((holder) => turns.run(holder, () => work(holder))));
    expect(most).toBe(2);
  });

  it('goes on after work that fails', async () => {
    const turns = new Turns(1);
    await expect(turns.run(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await turns.run(1, () => 'fine')).toBe('fine');
  });
});
