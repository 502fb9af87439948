/** What a statement of a migration would do to a version that is still running on the database. */
export type Harm = 'drop' | 'rename' | 'retype' | 'require' | 'rewrite' | 'check' | 'index' | 'rows';

/** A statement that harms, and how. */
export interface UnsafeStatement {
  harm: Harm;
  statement: string;
}

const NAME = String.raw`(?:if not exists )?(?:only )?"?(\w+)"?`;
/** What to look for, with the table in the first group where there is one: what is done to a table of the same file harms nobody. */
const HARMS: readonly [Harm, RegExp][] = [
  ['drop', /^drop (?:table|view|materialized view|sequence|type|function|trigger|schema)\b/],
  ['drop', new RegExp(`^alter table ${NAME}.* drop (?!default|not null)`)],
  ['rename', new RegExp(`^alter (?:table|type|sequence|view|function|index) ${NAME}.* rename\\b`)],
  ['retype', new RegExp(`^alter table ${NAME}.* alter (?:column )?\\S+ (?:set data )?type\\b`)],
  ['require', new RegExp(`^alter table ${NAME}.* set not null`)],
  [
    'require',
    new RegExp(
      `^alter table ${NAME}.* add (?:column )?(?!.*\\bcheck\\b)[^,]*\\bnot null(?![^,]*\\b(?:default|generated)\\b)(?<!default[^,]*)`,
    ),
  ],
  ['rewrite', new RegExp(`^alter table ${NAME}.* add (?:column )?[^,]*(?:generated|serial|default (?!now\\(\\))\\w+\\()`)],
  [
    'check',
    new RegExp(`^alter table ${NAME}.* add (?:constraint\\b|check\\b|foreign key\\b|unique\\b|primary key\\b|exclude\\b)(?!.*not valid)`),
  ],
  ['index', new RegExp(`^create (?:unique )?index (?:\\w+ )?on ${NAME}`)],
  ['rows', new RegExp(`^(?:update|delete from|truncate(?: table)?) ${NAME}`)],
];

/**
 * Finds the statements of a migration that a process of the version before, or its intake on a large table, would not survive. A line
 * `-- allow <harm>: <reason>` in the file takes one kind out.
 */
export function findUnsafeStatements(sql: string): UnsafeStatement[] {
  const allowed = new Set([...sql.matchAll(/^-- allow (\w+): \S.*$/gm)].map(([, harm]) => harm));
  const statements = statementsOf(sql);
  const own = new Set(statements.flatMap((statement) => new RegExp(`^create (?:unlogged )?table ${NAME}`).exec(statement)?.[1] ?? []));
  return statements.flatMap((statement) => {
    const found = HARMS.flatMap(([harm, pattern]) => {
      const match = pattern.exec(statement);
      return match && !own.has(match[1] ?? '') && !allowed.has(harm) ? [harm] : [];
    });
    return [...new Set(found)].map((harm) => ({ harm, statement: statement.slice(0, 100) }));
  });
}

/** The statements of a file in small letters and one line each, without comments, texts and bodies of functions. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, "''")
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}
