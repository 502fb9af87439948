/** Stands among the elements of a body for a piece that is not JSON, so that the pieces after it keep their position. */
export class BrokenElement {
  /** One sentence for the sender: where it is, and what was expected there. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}
