import { describe, expect, it } from 'vitest';
import { auditInput } from './audit-input.js';

describe('auditInput', () => {
  it('shows known arguments, and of others only that they were given', () => {
    expect(
      auditInput({
        input: { cluster: 'prod', server: { token: 'secret', kubeconfig: 'secret' }, bearerToken: 'secret', reason: null },
        id: '7',
      }),
    ).toEqual({
      input: { cluster: 'prod', server: '(not recorded)', bearerToken: '(not recorded)', reason: null },
      id: '7',
    });
  });

  it('shows labels by the names that they have', () => {
    expect(auditInput({ input: { labels: { team: 'shop' } } })).toEqual({ input: { labels: { team: 'shop' } } });
  });

  it('stays short', () => {
    const shown = JSON.stringify(
      auditInput({ reason: 'x'.repeat(100_000), clusters: Array.from({ length: 10_000 }, (_, i) => `cluster-${i}`) }),
    );
    expect(shown.length).toBeLessThan(3000);
    expect(shown).toContain('... 9900 more');
  });
});
