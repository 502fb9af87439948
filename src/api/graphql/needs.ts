import { Extensions } from '@nestjs/graphql';
import type { Role } from '../../platform/access.js';

/** What a field asks of its caller besides a role. */
export interface NeedOptions {
  /**
   * What keeps a mutation within the caller's scope: `query` its own statements, else the cluster that its arguments name, which has to
   * lie in the scope. A mutation that does not say is only for those who may see everything.
   */
  within?: 'query' | ((args: Record<string, unknown>) => unknown);
  /** True for a mutation that keeps a record of its own of who did what. Every other one is put into the audit log when it is done. */
  ownRecord?: boolean;
  /** True for a mutation that reaches beyond the database: its entry is written after it, not in one transaction with it. */
  reachesOut?: boolean;
}

/** Name under which a field carries what it needs. */
export const NEED = 'need';

/** What a field needs. */
export interface Need extends NeedOptions {
  role: Role;
}

/** Says which role a query, mutation, subscription or field needs. One that does not say needs viewer, a mutation admin. */
export function Needs(role: Role, options: NeedOptions = {}): MethodDecorator {
  return Extensions({ [NEED]: { role, ...options } satisfies Need });
}
