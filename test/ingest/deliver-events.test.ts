import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from '../../src/events/cluster-event.js';
import { readValues } from '../../src/events/read-body.js';
import type { DeliveryOptions } from '../../src/ingest/watch/deliver-events.service.js';
import { deliverEvents } from '../../src/ingest/watch/deliver-events.service.js';
import { BusyError } from '../../src/pipeline/busy-error.js';
import { DatabaseUnavailableError } from '../../src/store/database.service.js';
import { ClusterGoneError } from '../../src/store/intake.repository.js';
import { coreEvent } from '../support/core-event.js';

const cluster = { id: 1, name: 'prod', provider: 'kubernetes' } as const;

function eventsOf(...uids: string[]): ClusterEvent[] {
  const values = uids.map((uid) => coreEvent({ uid, reason: 'BackOff', message: 'm' }));
  return readValues(values, { now: Date.now() }).events.map(({ event }) => event);
}

/** Intake that answers what it is told to, then takes everything; and what was waited for. */
function setUp(...answers: (Error | ((uids: string[]) => Error | undefined))[]) {
  const stop = new AbortController();
  const stored: string[][] = [];
  const waits: (number | string | null)[] = [];
  const options: DeliveryOptions = {
    intake: {
      submit: (_cluster, events) => {
        const uids = events.map(({ uid }) => uid);
        const next = answers[0];
        const error = typeof next === 'function' ? next(uids) : (answers.shift() as Error | undefined);
        if (error) return Promise.reject(error);
        stored.push(uids);
        return Promise.resolve({ accepted: events.length, merged: 0 });
      },
    },
    signal: stop.signal,
    delay: (ms) => Promise.resolve(void waits.push(ms)),
    tellWaiting: (reason) => waits.push(reason),
  };
  return { stop, stored, waits, options };
}

describe('deliverEvents', () => {
  it('waits while intake is busy or the database away, longer each time, and drops nothing', async () => {
    const away = new DatabaseUnavailableError('away');
    const { options, stored, waits } = setUp(new BusyError('much', 2), away, away, away, away, away, new Error('a fault of ours'));
    expect(await deliverEvents(cluster, eventsOf('a', 'b'), options)).toEqual({ accepted: 2, merged: 0, refused: [] });
    expect(stored).toEqual([['a', 'b']]);
    expect(waits.filter((wait) => typeof wait === 'number')).toEqual([2000, 400, 800, 1600, 3200, 5000, 5000]);
    expect(waits.at(-1)).toBeNull();
    expect(waits[0]).toBe('much');
  });

  it('stores all but the events that the database cannot hold', async () => {
    const cannot = Object.assign(new Error('invalid byte sequence'), { code: '22021' });
    const { options, stored } = setUp((uids) => (uids.includes('bad') || uids.includes('worse') ? cannot : undefined));
    const { accepted, refused } = await deliverEvents(cluster, eventsOf('a', 'bad', 'b', 'c', 'd', 'worse', 'e'), options);
    expect(accepted).toBe(5);
    expect(refused.map(({ event }) => event.uid)).toEqual(['bad', 'worse']);
    expect(stored.flat().toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('ends when it is stopped while it waits', async () => {
    const { options, stop, stored } = setUp(() => new BusyError('much', 1));
    const delay: DeliveryOptions['delay'] = () => Promise.resolve(stop.abort());
    await expect(deliverEvents(cluster, eventsOf('a'), { ...options, delay })).rejects.toMatchObject({ name: 'AbortError' });
    expect(stored).toEqual([]);
  });

  it('ends when the cluster is gone, and asks nothing for nothing', async () => {
    const gone = setUp(new ClusterGoneError(1));
    await expect(deliverEvents(cluster, eventsOf('a'), gone.options)).rejects.toMatchObject({ code: 'CLUSTER_GONE' });
    expect(await deliverEvents(cluster, [], gone.options)).toEqual({ accepted: 0, merged: 0, refused: [] });
    expect(gone.stored).toEqual([]);
  });
});
