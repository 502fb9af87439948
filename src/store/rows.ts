import type { ClientBase, QueryResultRow } from 'pg';

/** Connection, or transaction, that a statement runs on. */
export type Connection = Pick<ClientBase, 'query'>;

/** A timestamp as milliseconds since the epoch, in SQL. */
export const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/**
 * Runs one set-based statement. A list goes in as one JSON parameter and is unfolded by `json_to_recordset`: encoding it
 * costs a fraction of what arrays of text cost in the driver.
 */
export async function rows<Row extends QueryResultRow>(connection: Connection, sql: string, ...params: unknown[]): Promise<Row[]> {
  const result = await connection.query<Row>(sql, params);
  return result.rows;
}
