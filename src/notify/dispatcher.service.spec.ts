import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { KnowledgeService } from '../knowledge/knowledge.service.js';
import type { Silencings } from '../pipeline/silencings.service.js';
import type { Clock } from '../platform/clock.js';
import type { Logger } from '../platform/logger.service.js';
import { Metrics } from '../platform/metrics.service.js';
import type { ChangeListener } from '../store/change-listener.service.js';
import type { OutboxRepository } from '../store/outbox.repository.js';
import { Dispatcher } from './dispatcher.service.js';
import type { Sender } from './sender.service.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('goes on telling while changes come one upon the other, and gathers those of a moment', async () => {
  let change = (): void => undefined;
  let turns = 0;
  const dispatcher = new Dispatcher(
    { turn: async () => void turns++ } as unknown as OutboxRepository,
    {} as KnowledgeService,
    { running: async () => [] } as unknown as Silencings,
    { now: () => 0 } as Clock,
    { wake: () => undefined } as unknown as Sender,
    { listen: (told: () => void) => ((change = told), () => undefined) } as unknown as ChangeListener,
    {} as Logger,
    new Metrics(),
  );
  dispatcher.onApplicationBootstrap();
  await vi.advanceTimersByTimeAsync(0);
  expect(turns).toBe(1);
  for (let i = 0; i < 100; i++) {
    change();
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(turns).toBeGreaterThan(10);
  expect(turns).toBeLessThan(25);
  await dispatcher.onModuleDestroy();
});
