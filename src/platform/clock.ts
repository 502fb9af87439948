/** Where the time comes from: injected, so that tests can move it. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;
}
