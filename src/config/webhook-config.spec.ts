import { describe, expect, it } from 'vitest';
import { parseAllowedTargets } from './webhook-config.js';

describe('parseAllowedTargets', () => {
  it('reads networks, addresses and hosts', () => {
    expect(parseAllowedTargets('10.0.0.0/8, 127.0.0.1,::1,fd00::/8 , Hooks.internal,*.svc.cluster.local')).toEqual({
      networks: ['10.0.0.0/8', '127.0.0.1/32', '::1/128', 'fd00::/8'],
      hosts: ['hooks.internal', '*.svc.cluster.local'],
    });
  });

  it('says what it cannot read', () => {
    for (const wrong of ['10.0.0.0/33', '300.1.1.1', '10.0.0', 'fd00::/129', ':::/8', 'http://hooks', 'a b', '*', '*.*.x'])
      expect([wrong, typeof parseAllowedTargets(wrong)]).toEqual([wrong, 'string']);
  });
});
