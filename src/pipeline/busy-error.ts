/** Intake has as much in hand as it may; the sender has to come back. */
export class BusyError extends Error {
  readonly code = 'BUSY';

  /** @param retryAfterSeconds when to come back, whole seconds */
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}
