import pg from 'pg';

/**
 * Tells the SQL statements that `work` sends, whichever client they go through. It is run a few times and the shortest list
 * counts, because background work may send some of its own meanwhile.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const runs = [await record(work), await record(work), await record(work)];
  return runs.reduce((best, run) => (run.length < best.length ? run : best));
}

async function record(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const prototype = pg.Client.prototype as unknown as { query: (...args: unknown[]) => unknown };
  const original = prototype.query;
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    statements.push(typeof first === 'string' ? first : String((first as { text?: string }).text));
    return original.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return statements;
}
