/** What is written into the audit log of a change, or of a refusal. */
export interface NewAuditEntry {
  /** Who: the id that does not change, and the name for people. */
  actor: { id: string; name: string };
  /** What was done: the name of the mutation, say. */
  action: string;
  outcome: 'done' | 'refused';
  /** On what; null where the action says it all. */
  target: string | null;
  /** Names of the clusters that it is about; null for the service as a whole. */
  clusters: readonly string[] | null;
  /** What was asked for, without secrets. */
  input?: object | undefined;
  /** What of the target was different before and after. */
  before?: object | undefined;
  after?: object | undefined;
}

/** An entry of the audit log. */
export interface AuditEntry extends Omit<NewAuditEntry, 'input' | 'before' | 'after'> {
  /** Grows with every entry. */
  id: string;
  at: Date;
  input: object | null;
  before: object | null;
  after: object | null;
}
