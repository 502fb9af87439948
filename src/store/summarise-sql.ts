const WRITES = /(?<!\b(?:DO|FOR|KEY)\s+)\b(INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY\s+)?"?([a-z_]\w*)/i;
// Not what a part of a time is taken of, nor what something differs from, nor a function.
const READS = /(?<!extract\(\w+\s+|\bDISTINCT\s+)\bFROM\s+(?:ONLY\s+)?"?([a-z_]\w*)\b(?!\s*[(.])/i;
const VERB = /^\s*(?:--[^\n]*\n\s*)*(\w+)/;
const MOST = 500;

const known = new Map<string, string>();

/** What a statement does, in two words such as `INSERT sighting`: how spans are called, which are to hold no text of a statement. */
export function summariseSql(sql: string): string {
  const before = known.get(sql);
  if (before !== undefined) return before;
  const [, write, written] = WRITES.exec(sql) ?? [];
  const [, read] = READS.exec(sql) ?? [];
  const verb = VERB.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';
  const summary =
    write !== undefined
      ? `${write.split(' ')[0]!.toUpperCase()} ${written}`
      : read !== undefined && /^(SELECT|WITH)$/.test(verb)
        ? `SELECT ${read}`
        : verb;
  if (known.size < MOST) known.set(sql, summary);
  return summary;
}
