import type { SpanOptions } from '../platform/tracer.js';
import { currentContext, withSpan } from '../platform/work-context.service.js';
import type { Connection } from './rows.js';
import { summariseSql } from './summarise-sql.js';

const SYSTEM = { 'db.system.name': 'postgresql' };

/** How work of the database is begun that is not one statement. */
export const DATABASE_SPAN: SpanOptions = { kind: 'client', attributes: SYSTEM };

/** Runs a statement under a span that says what it does, and nothing of its values. */
export function traceStatement<T>(sql: string, run: () => Promise<T>): Promise<T> {
  if (!currentContext()?.span) return run();
  const summary = summariseSql(sql);
  return withSpan(summary, { kind: 'client', attributes: { ...SYSTEM, 'db.query.summary': summary } }, run);
}

/** The connection with a span for each statement; as it is when no trace is being followed. */
export function tracedConnection(connection: Connection): Connection {
  if (!currentContext()?.span) return connection;
  const query = (said: string | { text: string }, ...rest: unknown[]): Promise<unknown> =>
    traceStatement(typeof said === 'string' ? said : said.text, () =>
      (connection.query as (...all: unknown[]) => Promise<unknown>).call(connection, said, ...rest),
    );
  return { query } as unknown as Connection;
}
