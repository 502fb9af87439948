import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Connection } from './rows.js';

/** A transaction that everything takes part in which is done meanwhile, without being handed it. */
interface Together {
  pool: pg.Pool;
  /** Undefined once it is over: what goes on then is no part of it. */
  connection: Connection | undefined;
  /** To be done once it is committed. */
  after: (() => void)[];
}

const storage = new AsyncLocalStorage<Together>();

/** The connection of the shared transaction that what is done now over a pool is part of; undefined when there is none. */
export function sharedConnection(pool: pg.Pool): Connection | undefined {
  const together = storage.getStore();
  return together?.pool === pool ? together.connection : undefined;
}

/** Does work all of whose statements over a pool go over one connection. What it wishes to be done once it is committed goes into `after`. */
export async function shareConnection<T>({ pool, connection, after }: Together, work: () => Promise<T>): Promise<T> {
  const together: Together = { pool, connection, after };
  try {
    return await storage.run(together, work);
  } finally {
    together.connection = undefined;
  }
}

/** Does something once what is done now is committed, and never when that fails; at once where no transaction is shared. */
export function afterCommit(work: () => void): void {
  const together = storage.getStore();
  if (together?.connection) together.after.push(work);
  else work();
}

/** Runs a part of a transaction that may fail alone. */
export async function savepoint<T>(connection: Connection, work: (connection: Connection) => Promise<T>): Promise<T> {
  await connection.query('SAVEPOINT part');
  try {
    const result = await work(connection);
    await connection.query('RELEASE SAVEPOINT part');
    return result;
  } catch (error) {
    // On a lost connection this fails too; all of it is rolled back then.
    await connection.query('ROLLBACK TO SAVEPOINT part').catch(() => undefined);
    throw error;
  }
}

const AS_PART: Readonly<Record<string, string>> = {
  BEGIN: 'SAVEPOINT part',
  COMMIT: 'RELEASE SAVEPOINT part',
  ROLLBACK: 'ROLLBACK TO SAVEPOINT part',
};

/** A pool for who knows nothing of shared transactions and yet takes part in them: its own transactions become parts. */
export function takingPart(pool: pg.Pool): pg.Pool {
  const partOf = (connection: Connection) => ({
    query: (query: pg.QueryConfig) => connection.query({ ...query, text: AS_PART[query.text] ?? query.text }),
    on: () => undefined,
    removeListener: () => undefined,
    release: () => undefined,
  });
  return new Proxy(pool, {
    get(target, name) {
      const connection = sharedConnection(pool);
      if (connection && name === 'query') return partOf(connection).query;
      if (connection && name === 'connect') return () => Promise.resolve(partOf(connection));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
