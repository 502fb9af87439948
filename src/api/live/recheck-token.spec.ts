import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BusyError } from '../../pipeline/busy-error.js';
import type { Caller } from '../../platform/access.js';
import { RequestError } from '../../platform/refusal.js';
import { recheckToken } from './recheck-token.service.js';

const CHECK = 30_000;
const user = (clusters: readonly string[] | null): Caller => ({
  kind: 'user',
  id: 'token:1',
  name: 'portal',
  role: 'viewer',
  scope: { clusters, namespaces: null },
});
const busy = (): Promise<Caller> => Promise.reject(new BusyError('later', 1));

describe('recheckToken', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A stream whose token is found as `answer` says at each check. */
  function open(answer: () => Promise<Caller>, authorization: string | undefined = 'Bearer x') {
    const admit = vi.fn<typeof answer>(answer);
    const ends: unknown[] = [];
    const stop = recheckToken({ admit }, { authorization, caller: user(['prod']) }, (error) => ends.push(error));
    return { admit, ends, stop };
  }

  it('leaves a stream alone while its token is what it was', async () => {
    const { admit, ends, stop } = open(() => Promise.resolve(user(['prod'])));
    await vi.advanceTimersByTimeAsync(20 * CHECK);
    expect([admit.mock.calls.length, ends]).toEqual([20, []]);
    stop();
    await vi.advanceTimersByTimeAsync(CHECK);
    expect(admit).toHaveBeenCalledTimes(20);
  });

  it('ends a stream at the first check that finds the token refused, or with other rights', async () => {
    const refused = new RequestError('UNAUTHENTICATED', 'The token was revoked.');
    const revoked = open(() => Promise.reject(refused));
    const wider = open(() => Promise.resolve(user(null)));
    await vi.advanceTimersByTimeAsync(CHECK);
    expect(revoked.ends).toEqual([refused]);
    expect(wider.ends).toEqual([expect.objectContaining({ code: 'FORBIDDEN' })]);
    revoked.stop();
    wider.stop();
  });

  it('waits for the next check when one does not come about, and for five minutes in all', async () => {
    const { ends, stop } = open(busy);
    await vi.advanceTimersByTimeAsync(9 * CHECK);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(CHECK);
    expect(ends).toEqual([expect.objectContaining({ code: 'BUSY' })]);
    stop();
  });

  it('counts from the last check that came about', async () => {
    let checks = 0;
    const { ends, stop } = open(() => (++checks % 10 === 0 ? Promise.resolve(user(['prod'])) : busy()));
    await vi.advanceTimersByTimeAsync(50 * CHECK);
    expect(ends).toEqual([]);
    stop();
  });

  it('has nothing to look at where no token was sent', async () => {
    const admit = vi.fn<typeof busy>(busy);
    recheckToken({ admit }, { authorization: undefined, caller: { kind: 'anonymous' } }, () => expect.unreachable())();
    await vi.advanceTimersByTimeAsync(CHECK);
    expect(admit).not.toHaveBeenCalled();
  });
});
