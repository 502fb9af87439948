import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { PassThrough } from 'node:stream';
import { withClient } from './with-client.js';

/** A database as a logical dump has it: the rows of each table, and where each sequence stands. */
export interface Dump {
  tables: Map<string, Buffer>;
  sequences: Map<string, string>;
}

const TABLES = `SELECT c.oid::regclass::text AS name FROM pg_class c
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1`;

/** Reads a whole database in one snapshot, while others go on writing. */
export async function dumpDatabase(url: string): Promise<Dump> {
  return withClient(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const dump: Dump = { tables: new Map(), sequences: new Map() };
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      const parts: Buffer[] = [];
      for await (const part of client.query(copyTo(`COPY (SELECT * FROM ${name}) TO STDOUT`))) parts.push(part as Buffer);
      dump.tables.set(name, Buffer.concat(parts));
    }
    const { rows } = await client.query<{ name: string; last: string | null }>(
      `SELECT sequencename AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public'`,
    );
    for (const { name, last } of rows) if (last !== null) dump.sequences.set(name, last);
    return dump;
  });
}

/** Puts a dump into a database that has the same tables, without triggers and checks of references, as pg_restore does. */
export async function restoreDatabase(url: string, { tables, sequences }: Dump): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('SET session_replication_role = replica');
    for (const [name, rows] of tables) {
      await client.query(`DELETE FROM ${name}`);
      const input = new PassThrough();
      input.end(rows);
      await pipeline(input, client.query(copyFrom(`COPY ${name} FROM STDIN`)));
    }
    for (const [name, last] of sequences) await client.query('SELECT setval($1::regclass, $2)', [name, last]);
  });
}
