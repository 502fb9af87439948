/** There is no such incident, or none that the caller may see. */
export class IncidentUnknownError extends Error {
  readonly code = 'INCIDENT_UNKNOWN';
  constructor(id: string) {
    super(`There is no incident ${JSON.stringify(id.slice(0, 100))}.`);
  }
}

/** A change does not fit how the incident stands by now. */
export class IncidentConflictError extends Error {
  readonly code = 'INCIDENT_CONFLICT';
}
