import { registerEnumType } from '@nestjs/graphql';
import type { BucketSize } from '../history/bucket-edges.js';

/** Enum values of the schema about time and trends, and what they are inside. */
export const Bucket = { HOUR: 'hour', DAY: 'day', WEEK: 'week' } as const satisfies Record<string, BucketSize>;
export const HistoryState = { NEW: 'NEW', CAME_BACK: 'CAME_BACK', ONGOING: 'ONGOING', QUIET: 'QUIET', NEVER_SEEN: 'NEVER_SEEN' } as const;
export const TrendDimension = {
  CLUSTER: 'cluster',
  CLUSTER_PROVIDER: 'clusterProvider',
  REGION: 'region',
  NAMESPACE: 'namespace',
  PROBLEM: 'problem',
  CODE: 'code',
  AREA: 'area',
  SEVERITY: 'severity',
  PROVIDER: 'provider',
  STATUS: 'status',
} as const;
export const TrendMeasure = { OCCURRENCES: 'occurrences', OPENED: 'opened' } as const;

registerEnumType(Bucket, {
  name: 'Bucket',
  description: 'Length of the buckets that a range is divided into, by the clocks and the calendar of its time zone.',
  valuesMap: {
    HOUR: { description: 'An hour; the hour that is repeated when clocks go back is two buckets.' },
    DAY: { description: 'A day from midnight to midnight, of 23 to 25 hours where clocks change.' },
    WEEK: { description: 'A week from Monday to Sunday.' },
  },
});
registerEnumType(HistoryState, {
  name: 'HistoryState',
  description: 'How a range relates to what came before it.',
  valuesMap: {
    NEW: { description: 'Seen in the range for the first time, as far as incidents are kept.' },
    CAME_BACK: {
      description: 'Seen in the range and earlier, but neither seen nor open in the period before, which is as long as the range.',
    },
    ONGOING: { description: 'Seen or open in the range and in the period before.' },
    QUIET: { description: 'Seen earlier, but neither seen nor open in the range.' },
    NEVER_SEEN: { description: 'Not seen up to the end of the range.' },
  },
});
registerEnumType(TrendDimension, {
  name: 'TrendDimension',
  description: 'What sums can be told apart by. What follows from a problem is that of the knowledge base of today.',
  valuesMap: {
    CLUSTER: { description: 'The name of the cluster.' },
    CLUSTER_PROVIDER: { description: 'The provider of the cluster.' },
    REGION: { description: 'The region of the cluster.' },
    NAMESPACE: { description: 'The namespace of the subject; null for objects without one.' },
    PROBLEM: { description: 'The id of the problem.' },
    CODE: { description: 'The error code of the problem; null where it has none.' },
    AREA: { description: 'The area of the problem, such as ingress.' },
    SEVERITY: { description: 'The severity of the problem.' },
    PROVIDER: { description: 'The provider whose problem it is, as in filters of incidents.' },
    STATUS: { description: 'The status of the incident today. Occurrences are not kept by status, and are null.' },
  },
});
registerEnumType(TrendMeasure, {
  name: 'TrendMeasure',
  description: 'What a rise or a fall is measured by.',
  valuesMap: {
    OCCURRENCES: { description: 'Occurrences, by the counts of events.' },
    OPENED: { description: 'Incidents that were opened or opened again; a burst of repetitions counts once.' },
  },
});
