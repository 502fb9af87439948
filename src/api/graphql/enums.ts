import { registerEnumType } from '@nestjs/graphql';

/** Enum values of the schema, and what they are inside: the words of the domain. */
export const IncidentStatus = { OPEN: 'open', ACKNOWLEDGED: 'acknowledged', RESOLVED: 'resolved' } as const;
export const Resolution = {
  SUCCESS_EVENT: 'SUCCESS_EVENT',
  QUIET: 'QUIET',
  OBJECT_GONE: 'OBJECT_GONE',
  MANUAL: 'MANUAL',
  MERGED: 'MERGED',
} as const;
export const Provider = {
  KUBERNETES: 'kubernetes',
  TKE: 'tke',
  TKE_SERVERLESS: 'tke-serverless',
  ACK: 'ack',
  CASEBOOK: 'casebook',
} as const;
export const Severity = { CRITICAL: 'critical', ERROR: 'error', WARNING: 'warning', INFO: 'info' } as const;
export const Risk = {
  CLUSTER_COMPONENT_DOWN: 'cluster-component-down',
  NO_TRAFFIC_FOR_NEW: 'no-traffic-for-new',
  SYNC_BLOCKED: 'sync-blocked',
  BACKEND_UPDATE_MAY_FAIL: 'backend-update-may-fail',
  NONE: 'none',
} as const;
export const Locale = { EN: 'en', ZH: 'zh' } as const;
export const IncidentOrderField = { LAST_SEEN_AT: 'lastSeenAt', FIRST_SEEN_AT: 'firstSeenAt' } as const;
export const OrderDirection = { ASC: 'asc', DESC: 'desc' } as const;

/** Inner words of an enum object. */
export type ValueOf<T> = T[keyof T];

registerEnumType(IncidentStatus, {
  name: 'IncidentStatus',
  description: 'Where an incident stands in its life.',
  valuesMap: {
    OPEN: { description: 'The problem shows on at least one object.' },
    ACKNOWLEDGED: { description: 'The problem shows, and a person has taken it in hand.' },
    RESOLVED: { description: 'The problem has ended on every object.' },
  },
});
registerEnumType(Resolution, {
  name: 'Resolution',
  description: 'Why an open period of an incident ended.',
  valuesMap: {
    SUCCESS_EVENT: { description: 'An event told of success.' },
    QUIET: { description: 'The problem was not seen any more for as long as its kind asks for.' },
    OBJECT_GONE: { description: 'The object was deleted.' },
    MANUAL: { description: 'A person resolved it.' },
    MERGED: { description: 'Its objects turned out to be those of another workload, and it went into the incident of that one.' },
  },
});
registerEnumType(Provider, {
  name: 'Provider',
  description: 'Who provides a cluster, or whose problem it is.',
  valuesMap: {
    KUBERNETES: { description: 'Plain Kubernetes; a problem of it is possible in every cluster.' },
    TKE: { description: 'Tencent Kubernetes Engine.' },
    TKE_SERVERLESS: { description: 'Serverless clusters of Tencent Kubernetes Engine.' },
    ACK: { description: 'Alibaba Cloud Container Service for Kubernetes.' },
    CASEBOOK: { description: 'Casebook itself: what it watches for in every cluster. No cluster is of this provider.' },
  },
});
registerEnumType(Severity, {
  name: 'Severity',
  description: 'How bad a problem is.',
  valuesMap: {
    CRITICAL: { description: 'Users are hit, or a part of the cluster is down.' },
    ERROR: { description: 'Something does not work and will not without help.' },
    WARNING: { description: 'Something is at risk, or works in part.' },
    INFO: { description: 'Good to know.' },
  },
});
registerEnumType(Risk, {
  name: 'Risk',
  description: 'What happens if nobody acts.',
  valuesMap: {
    CLUSTER_COMPONENT_DOWN: { description: 'A component of the cluster is down.' },
    NO_TRAFFIC_FOR_NEW: { description: 'What is new gets no traffic; what exists keeps it.' },
    SYNC_BLOCKED: { description: 'Changes are not applied any more.' },
    BACKEND_UPDATE_MAY_FAIL: { description: 'Changes of the backends may not be applied.' },
    NONE: { description: 'Nothing breaks.' },
  },
});
registerEnumType(Locale, {
  name: 'Locale',
  description: 'Language of a text.',
  valuesMap: { EN: { description: 'English.' }, ZH: { description: 'Chinese.' } },
});
registerEnumType(IncidentOrderField, {
  name: 'IncidentOrderField',
  description: 'What incidents are ordered by.',
  valuesMap: {
    LAST_SEEN_AT: { description: 'The time of the latest happening.' },
    FIRST_SEEN_AT: { description: 'The time of the first happening.' },
  },
});
registerEnumType(OrderDirection, {
  name: 'OrderDirection',
  description: 'Which end of an order comes first.',
  valuesMap: { ASC: { description: 'The earliest first.' }, DESC: { description: 'The latest first.' } },
});
