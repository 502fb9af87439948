import type { ClusterEvent, Rejection } from '../../events/cluster-event.js';
import { readValues } from '../../events/read-body.js';
import { noteRefused } from '../../events/refused-element.js';
import type { FollowedBatch } from './followed-cluster.js';
import type { WatchLine } from './read-watch-line.js';

/** Reads a part of a page of a list; `position` is given with the last part of the last page alone. */
export function batchOfItems(items: readonly unknown[], position: string | undefined, now: number): FollowedBatch {
  const { events, rejected } = read(items, now);
  return { events, deleted: [], rejected, position };
}

/** Reads lines of a watch, none of which is an error. A line without a position leaves that of the line before. */
export function batchOfLines(lines: readonly WatchLine[], now: number): FollowedBatch {
  const objects = (deleted: boolean): unknown[] =>
    lines.flatMap((line) => (line.type === 'change' && line.deleted === deleted ? [line.object] : []));
  const live = read(objects(false), now);
  const dead = read(objects(true), now);
  const broken = lines.flatMap((line, index): Rejection[] =>
    line.type === 'broken' ? [noteRefused({ index, reason: line.reason }, line.text)] : [],
  );
  return {
    events: live.events,
    deleted: dead.events,
    rejected: [...live.rejected, ...dead.rejected, ...broken],
    position: lines.findLast((line): line is WatchLine & { position: string } => 'position' in line && line.position !== undefined)
      ?.position,
  };
}

function read(values: readonly unknown[], now: number): { events: ClusterEvent[]; rejected: Rejection[] } {
  const { events, rejected } = readValues(values, { now, format: 'kubernetes' });
  return { events: events.map(({ event }) => event), rejected };
}
