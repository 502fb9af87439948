import { describe, expect, it } from 'vitest';
import { CLUSTER_COMMANDS } from './cluster-commands.js';

describe('casebook clusters remove --wait', () => {
  it.each([
    ['the cluster is gone', null],
    ['another has its name', { state: 'ACTIVE' }],
  ])('ends when %s', async (_, then) => {
    const states = [{ state: 'REMOVING' }, { state: 'REMOVING' }, then];
    let pauses = 0;
    const answer = await CLUSTER_COMMANDS['remove']!.run({
      args: ['prod-eu'],
      options: { confirm: 'prod-eu', wait: true },
      url: 'http://127.0.0.1:4000',
      ask: async <T>(query: string) => (query.startsWith('query') ? { cluster: states.shift() } : {}) as T,
      now: () => 0,
      pause: async () => {
        if (++pauses > 5) throw new Error('it goes on waiting');
      },
    });
    expect(answer.text).toBe('prod-eu is gone.');
    expect(pauses).toBe(2);
  });
});
