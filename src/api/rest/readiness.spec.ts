import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceState } from '../../platform/service-state.js';
import { ReadinessService } from './readiness.service.js';

const LATE = ['the database does not answer'];
const PENDING = expect.stringMatching(/^the migration \d+_\w+ is not applied$/);

describe('ReadinessService', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  function start() {
    const clock = { time: 0, now: () => clock.time };
    const statements: ((rows: { name: string }[]) => void)[] = [];
    const database = { rows: () => new Promise((answer) => statements.push(answer)) };
    const knowledge = { current: () => ({ problems: [{}] }) };
    const readiness = new ReadinessService(database as never, knowledge as never, new ServiceState(), 'prisma/migrations', clock);
    return { clock, statements, readiness };
  }

  it('asks the database once for all who ask within a second, and anew after that', async () => {
    const { clock, statements, readiness } = start();
    const flood = Array.from({ length: 1000 }, () => readiness.missing());
    expect(statements).toHaveLength(1);
    statements[0]!([]);
    for (const missing of await Promise.all(flood)) expect(missing).toContainEqual(PENDING);
    clock.time = 999;
    await readiness.missing();
    expect(statements).toHaveLength(1);
    clock.time = 1_000;
    void readiness.missing();
    expect(statements).toHaveLength(2);
  });

  it('puts no second statement behind one that is not answered, and gives that up after ten seconds', async () => {
    const { clock, statements, readiness } = start();
    for (const at of [0, 2_000, 4_000, 6_000, 8_000]) {
      clock.time = at;
      const asked = readiness.missing();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(await asked).toEqual(LATE);
      expect(statements).toHaveLength(1);
    }
    clock.time = 10_000;
    const asked = readiness.missing();
    expect(statements).toHaveLength(2);
    statements[1]!([]);
    expect(await asked).toContainEqual(PENDING);
  });
});
