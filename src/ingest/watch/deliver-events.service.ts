import type { ClusterEvent } from '../../events/cluster-event.js';
import type { IntakeCluster, IntakeService } from '../../pipeline/intake.service.js';
import { BusyError } from '../../pipeline/busy-error.js';
import { ClusterGoneError } from '../../store/intake.repository.js';

/** What became of events that were delivered. */
export interface Delivered {
  accepted: number;
  merged: number;
  /** Events that the database cannot hold, with its words; the others are stored. */
  refused: { event: ClusterEvent; error: unknown }[];
}

/** What a delivery needs of the world. */
export interface DeliveryOptions {
  intake: Pick<IntakeService, 'submit'>;
  signal: AbortSignal;
  /** Resolves after that many milliseconds, or at once when the signal is aborted. */
  delay: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told before each wait why the events cannot be stored now, and once with null when they could. */
  tellWaiting: (reason: string | null) => void;
}

const FIRST_DELAY = 200;
const LONGEST_DELAY = 5_000;
/** PostgreSQL's classes for data that it cannot hold: the very event is at fault, and will be at every attempt. */
const DATA_ERROR = /^2[23]\w{3}$/;

/**
 * Stores events and resolves once they are durable, however long intake is busy or the database away: what a watch has read is never
 * dropped. An event that the database cannot hold does not keep the others back.
 *
 * @throws ClusterGoneError when the cluster was removed, and the signal's reason when it is aborted while the events wait
 */
export async function deliverEvents(cluster: IntakeCluster, events: readonly ClusterEvent[], options: DeliveryOptions): Promise<Delivered> {
  if (events.length === 0) return { accepted: 0, merged: 0, refused: [] };
  try {
    return { ...(await submit(cluster, events, options)), refused: [] };
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (events.length === 1) return { accepted: 0, merged: 0, refused: [{ event: events[0]!, error }] };
    const middle = events.length >> 1;
    const first = await deliverEvents(cluster, events.slice(0, middle), options);
    const rest = await deliverEvents(cluster, events.slice(middle), options);
    return {
      accepted: first.accepted + rest.accepted,
      merged: first.merged + rest.merged,
      refused: [...first.refused, ...rest.refused],
    };
  }
}

async function submit(
  cluster: IntakeCluster,
  events: readonly ClusterEvent[],
  { intake, signal, delay, tellWaiting }: DeliveryOptions,
): Promise<{ accepted: number; merged: number }> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    try {
      const submitted = await intake.submit(cluster, events);
      if (attempt > 0) tellWaiting(null);
      return submitted;
    } catch (error) {
      if (error instanceof ClusterGoneError || isDataError(error)) throw error;
      tellWaiting(error instanceof Error ? error.message : String(error));
      const wished = error instanceof BusyError ? error.retryAfterSeconds * 1000 : 0;
      await delay(Math.min(LONGEST_DELAY, Math.max(wished, FIRST_DELAY * 2 ** attempt)), signal);
    }
  }
}

function isDataError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && DATA_ERROR.test(code);
}
