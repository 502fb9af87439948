import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ClusterRepository } from '../../src/store/cluster.repository.js';
import { DatabaseUnavailableError, ReadsBusyError, ReadTimeoutError } from '../../src/store/database.service.js';
import { e4011 } from '../support/core-event.js';
import { openEvents, subscribe } from '../support/live-client.js';
import type { TestCasebook } from '../support/start-casebook.js';
import { startTestCasebook } from '../support/start-casebook.js';

let casebook: TestCasebook;

beforeAll(async () => {
  casebook = await startTestCasebook({ LOG_LEVEL: 'fatal' });
  await casebook.register('prod');
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => casebook?.stop());

const happens = (name: string): Promise<unknown> => casebook.post('prod', e4011({ name }));
const SHOWN = `subscription ($after: String) { incidentChanged(after: $after) { cursor incident { subject { name } cluster { name } } } }`;

interface Told {
  data: { incidentChanged: { cursor: string; incident: { subject: { name: string } } } };
}
const nameIn = ({ data }: Told): string => data.incidentChanged.incident.subject.name;

describe('a change of which something cannot be read', () => {
  it.each([
    ['no connection is free', new ReadsBusyError('all are taken')],
    ['it takes too long', new ReadTimeoutError('it takes too long')],
    ['the database is away', new DatabaseUnavailableError('gone')],
    ['of a fault of our own', new Error('a fault')],
  ])('ends a subscription before it because %s, and is told to whoever resumes', async (why, error) => {
    const subscription = await subscribe(casebook.url, SHOWN);
    await happens(`${why} 1`);
    const [first] = await subscription.next(1);
    const reads = vi.spyOn(casebook.app.get(ClusterRepository), 'findByIds').mockRejectedValue(error);
    await happens(`${why} 2`);
    expect(await subscription.outcome()).toMatchObject({ code: 1013, reason: expect.stringContaining('resume') });
    expect(subscription.all.map(nameIn)).toEqual([`${why} 1`]);

    reads.mockRestore();
    await happens(`${why} 3`);
    const resumed = await subscribe(casebook.url, SHOWN, { variables: { after: (first as Told).data.incidentChanged.cursor } });
    expect((await resumed.next(2)).map(nameIn)).toEqual([`${why} 2`, `${why} 3`]);
    await resumed.close();
  });

  it('says so, and goes on, when the caller may not have it at all', async () => {
    const subscription = await subscribe(casebook.url, 'subscription { incidentChanged { incident { affected(first: 1000) { name } } } }');
    await happens('too-much-1');
    await happens('too-much-2');
    for (const told of await subscription.next(2)) {
      expect(told).toMatchObject({ data: null, errors: [{ extensions: { code: 'BAD_INPUT' } }] });
    }
    expect(subscription.ended).toBeUndefined();
    await subscription.close();
  });

  it('comes after every id that a client of Server-Sent Events was given meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const address = `${casebook.url}/v1/incidents/changes`;
    const events = await openEvents(address);
    await events.marks.next(1);
    let fail = (_error: Error): void => undefined;
    const held = new Promise<never>((_resolve, reject) => (fail = reject));
    const reads = vi.spyOn(casebook.app.get(ClusterRepository), 'findByIds').mockReturnValueOnce(held);
    await happens('unsent');
    await vi.waitFor(() => expect(reads).toHaveBeenCalled(), { timeout: 5_000 });
    await vi.advanceTimersByTimeAsync(15_000);
    fail(new ReadsBusyError('all are taken'));
    expect(await events.changes.next(1)).toEqual([{ event: 'end', data: { code: 'BUSY' } }]);

    const again = await openEvents(address, { 'last-event-id': events.marks.all.at(-1)!.id! });
    expect((await again.changes.next(1))[0]!.data.incident.subject.name).toBe('unsent');
    again.close();
  });
});
