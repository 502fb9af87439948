/** Arguments whose values may stand in the audit log; of all others only the name does, as they may be secrets. */
const SHOWN = new Set([
  'after',
  'cluster',
  'clusters',
  'codes',
  'comment',
  'confirm',
  'endsAt',
  'eventsPerSecond',
  'expiresAt',
  'expiresIn',
  'filter',
  'graceSeconds',
  'id',
  'input',
  'kinds',
  'labels',
  'maxBodyBytes',
  'name',
  'namespace',
  'namespaces',
  'note',
  'problems',
  'providers',
  'provider',
  'reason',
  'region',
  'required',
  'role',
  'rrule',
  'schedule',
  'severities',
  'startsAt',
  'statuses',
  'subject',
  'timeZone',
]);
const LONGEST_TEXT = 500;
const MOST_VALUES = 100;

/** Makes of a mutation's arguments what the audit log shows of them: no secrets, and no more than a line's worth of each. */
export function auditInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}...` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (depth > 3) return '...';
  if (Array.isArray(value)) {
    const shown = value.slice(0, MOST_VALUES).map((each) => auditInput(each, depth + 1));
    return value.length > MOST_VALUES ? [...shown, `... ${value.length - MOST_VALUES} more`] : shown;
  }
  const entries = Object.entries(value).slice(0, MOST_VALUES);
  // Labels of a cluster are no arguments: they are names that somebody chose.
  return Object.fromEntries(entries.map(([name, inner]) => [name, shownOf(name, inner, depth)]));
}

function shownOf(name: string, value: unknown, depth: number): unknown {
  if (value === null || value === undefined) return null;
  if (name === 'labels' && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, MOST_VALUES)
        .map(([key, text]) => [key, auditInput(text, 4)]),
    );
  return SHOWN.has(name) ? auditInput(value, depth + 1) : '(not recorded)';
}
