import pg from 'pg';

/**
 * Tells the SQL statements that `work` sends, whichever client they go through. It is run until two runs in a row agree,
 * because background work may send some of its own meanwhile.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  let last = await record(work);
  for (let run = 0; run < 20; run++) {
    const next = await record(work);
    if (next.length === last.length && next.every((statement, i) => statement === last[i])) return next;
    last = next;
  }
  return last;
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
