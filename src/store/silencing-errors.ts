/** There is no such silence or maintenance window, or none that the caller may see. */
export class SilencingUnknownError extends Error {
  readonly code = 'SILENCING_UNKNOWN';
  constructor(kind: string, id: string) {
    super(`There is no ${kind === 'silence' ? 'silence' : 'maintenance window'} ${JSON.stringify(id.slice(0, 100))}.`);
  }
}

/** A change does not fit how the silence or maintenance window stands by now. */
export class SilencingConflictError extends Error {
  readonly code = 'SILENCING_CONFLICT';
}
