import { describe, expect, it } from 'vitest';
import type { IncidentChange } from '../../store/queries/find-incident-changes.js';
import { mayConcern, withoutState } from './match-change.js';

const RESOLVED: IncidentChange = {
  position: { xid: '1', seq: '1' },
  at: 0,
  incidentId: 'i',
  clusterId: 1,
  problemId: 'p',
  namespace: 'shop',
  kind: 'RESOLVED',
  statusBefore: 'open',
  status: 'resolved',
  severityBefore: 'error',
  severity: 'error',
  mergedInto: null,
};
const OPENED: IncidentChange = { ...RESOLVED, statusBefore: null, status: 'open', severityBefore: null };

describe('mayConcern', () => {
  it('is true for what enters or leaves a list by status or severity', () => {
    expect(mayConcern({ statuses: ['open'] }, RESOLVED)).toBe(true);
    expect(mayConcern({ statuses: ['resolved'] }, RESOLVED)).toBe(true);
    expect(mayConcern({ statuses: ['acknowledged'] }, RESOLVED)).toBe(false);
    expect(mayConcern({ statuses: ['open'], severities: ['error'] }, OPENED)).toBe(true);
    expect(mayConcern({ statuses: ['open'], severities: ['critical'] }, OPENED)).toBe(false);
  });

  it('wants status and severity of the same moment', () => {
    const worse = { ...RESOLVED, severity: 'critical' };
    expect(mayConcern({ statuses: ['open'], severities: ['critical'] }, worse)).toBe(false);
    expect(mayConcern({ statuses: ['resolved'], severities: ['critical'] }, worse)).toBe(true);
  });

  it('takes an empty list as none, and looks at problem and namespace', () => {
    expect(mayConcern({ statuses: [], problems: ['p'], namespaces: ['shop', 'x'] }, OPENED)).toBe(true);
    expect(mayConcern({ problems: ['q'] }, OPENED)).toBe(false);
    expect(mayConcern({ namespaces: ['x'] }, OPENED)).toBe(false);
  });
});

describe('withoutState', () => {
  it('leaves every other condition', () => {
    expect(withoutState({ statuses: ['open'], severities: ['error'], kinds: ['Pod'] })).toEqual({ kinds: ['Pod'] });
  });
});
