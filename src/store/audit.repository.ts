import { Injectable } from '@nestjs/common';
import type { Scope } from '../platform/scope.js';
import type { AuditEntry, NewAuditEntry } from './audit-entry.js';
import { Database } from './database.service.js';
import { countAuditEntries, findAuditEntries } from './queries/find-audit-entries.js';

/** Rows deleted by one statement. */
const CHUNK = 10_000;

/** The audit log: who changed what of the administration, and who was refused. It is only added to; the database sees to that. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Does work in one transaction with the entries that are added meanwhile: neither is there without the other. */
  together<T>(work: () => Promise<T>): Promise<T> {
    return this.database.together(work);
  }

  /** Adds an entry. */
  async add({ actor, action, outcome, target, clusters, input, before, after }: NewAuditEntry): Promise<void> {
    const json = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));
    await this.database.rows(
      `INSERT INTO audit_log (actor_id, actor_name, action, outcome, target, clusters, input, before, after)
       VALUES ($1, $2, $3, $4, $5, $6::text[], $7::jsonb, $8::jsonb, $9::jsonb)`,
      actor.id,
      actor.name,
      action,
      outcome,
      target,
      clusters,
      json(input),
      json(before),
      json(after),
    );
  }

  /** Entries within a scope, the latest first, after the one with an id. */
  list(scope: Scope, page: { limit: number; after?: string | undefined }): Promise<AuditEntry[]> {
    return findAuditEntries(this.database.reads, scope, page);
  }

  /** Number of those entries. */
  count(scope: Scope): Promise<number> {
    return countAuditEntries(this.database.reads, scope);
  }

  /** Drops what is older than `days`, at least 30, in portions. Returns how many entries. */
  async dropOld(days: number): Promise<number> {
    for (let total = 0; ;) {
      const [dropped] = await this.database.rows<{ count: number }>(
        `WITH gone AS (
           DELETE FROM audit_log WHERE id = ANY(ARRAY(
             SELECT a.id FROM audit_log a WHERE a.at < now() - $1::integer * interval '1 day' ORDER BY a.at LIMIT ${CHUNK}
           )) RETURNING 1
         ) SELECT count(*)::integer AS count FROM gone`,
        days,
      );
      total += dropped!.count;
      if (dropped!.count < CHUNK) return total;
    }
  }
}
