import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Logger } from '../../platform/logger.service.js';
import { Metrics } from '../../platform/metrics.service.js';
import type { ChangeListener } from '../../store/change-listener.service.js';
import type { ChangePosition } from '../../store/change-position.js';
import type { IncidentChangeRepository } from '../../store/incident-change.repository.js';
import type { ChangeBatch, IncidentChange } from '../../store/queries/find-incident-changes.js';
import type { IncidentRecord } from '../../store/queries/incident-columns.js';
import { ChangeFeed } from './change-feed.service.js';

const WISH = { filter: {}, scope: { clusters: null, namespaces: null } };
const at = (xid: number): ChangePosition => ({ xid: String(xid), seq: '0' });

/** A store that tells its position when the test lets it. */
class Store {
  now = 1;
  held: Promise<void> | undefined;
  readonly changes: number[] = [];

  async latestPosition(): Promise<ChangePosition> {
    await this.held;
    return at(this.now);
  }

  async changesAfter({ xid }: ChangePosition): Promise<ChangeBatch> {
    const found = this.changes.filter((change) => change > Number(xid));
    return { changes: found.map(changeOf), end: at(this.now), more: false, waiting: false };
  }

  async matching(ids: readonly string[]): Promise<Set<string>> {
    return new Set(ids);
  }

  async incidents(ids: readonly string[]): Promise<Map<string, IncidentRecord>> {
    return new Map(ids.map((id) => [id, { id } as IncidentRecord]));
  }
}

function changeOf(xid: number): IncidentChange {
  return { position: at(xid), incidentId: `incident-${xid}`, kind: 'OPENED', status: 'open' } as IncidentChange;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('goes on reading for whoever comes while the last one before is leaving', async () => {
  const store = new Store();
  const feed = new ChangeFeed(
    store as unknown as IncidentChangeRepository,
    { listen: () => () => undefined } as unknown as ChangeListener,
    { maxSubscriptions: 10, maxUndelivered: 10 },
    { warn: () => undefined } as unknown as Logger,
    new Metrics(),
  );
  const first = await feed.subscribe(WISH);
  let letIn = (): void => undefined;
  store.held = new Promise((resolve) => (letIn = resolve));
  const coming = feed.subscribe(WISH);
  await first.return();
  // The look that was due for the first one finds nobody.
  await vi.advanceTimersByTimeAsync(5_000);
  letIn();
  const second = await coming;
  store.changes.push(2);
  store.now = 3;
  const told: string[] = [];
  void second.next().then(({ value }) => told.push(...(value ?? []).map(({ incident }) => incident.id)));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toEqual(['incident-2']);
  await second.return();
  await feed.close();
});
