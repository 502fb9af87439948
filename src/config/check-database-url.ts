import type { z } from 'zod';

/** Refuses what is no address of a PostgreSQL database. Never quotes the value, which holds a password. */
export function checkDatabaseUrl(value: string, context: z.RefinementCtx): void {
  const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol)) {
    refuse('expected postgresql://user:password@host:5432/database, with special characters of the password percent-encoded');
    return;
  }
  if (new URL(value).pathname.length < 2) refuse('expected the name of a database after the host');
  if (new URL(value).searchParams.has('schema')) refuse('the parameter schema is not supported; use options=-csearch_path%3Dname');
}
