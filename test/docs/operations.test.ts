import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { CLUSTER_COMMANDS } from '../../src/commands/cluster-commands.js';
import { TOKEN_COMMANDS } from '../../src/commands/token-commands.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const guide = read('docs/operations.md');
const code = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => read(join(entry.parentPath, entry.name)))
    .join('\n');
const source = code('src');
const all = (pattern: RegExp, text = guide): string[] => [...new Set([...text.matchAll(pattern)].map(([, found]) => found!))];
const blocks = (language: string): string[] => all(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\``, 'gm'));
const anchorsOf = (path: string): string[] =>
  all(/^#+ (.+)$/gm, read(path)).map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
const exists = (path: string): boolean => {
  try {
    return readdirSync(dirname(join('.', path))).includes(path.replace(/\/$/, '').split('/').at(-1)!);
  } catch {
    return false;
  }
};

describe('docs/operations.md', () => {
  it('leads to files and sections that there are', () => {
    for (const link of all(/\]\((?!http)([^)]+)\)/g)) {
      const [path, anchor] = link.split('#') as [string, string?];
      const file = path === '' ? 'docs/operations.md' : join('docs', path);
      expect(exists(file), link).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(file), link).toContain(anchor);
    }
    for (const path of all(/`((?:test|docs|deploy|bench|scripts)\/[\w./-]+)`/g)) expect(exists(path), path).toBe(true);
    for (const path of all(/(deploy\/kustomize\/[\w./-]+\w)/g)) expect(exists(path), path).toBe(true);
  });

  it('names variables that are read', () => {
    const known = new Set([...all(/\b([A-Z][A-Z_]+)\b/g, code('src/config')), ...all(/\$\{([A-Z_]+)/g, read('docker-compose.yml'))]);
    known.add('TEST_POSTGRES_BIN');
    const named = all(/\b((?:CASEBOOK|TEST|POSTGRES|DATABASE|LOG)_[A-Z_]+)\b/g);
    expect(named.length).toBeGreaterThan(20);
    // Codes of errors look alike.
    expect(named.filter((name) => !known.has(name) && !source.includes(`'${name}'`))).toEqual([]);
  });

  it('names commands that there are, with their options', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const name of all(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(name);
    const groups = { clusters: CLUSTER_COMMANDS, tokens: TOKEN_COMMANDS };
    const calls = [...guide.matchAll(/casebook(?:\.command\.js)? (clusters|tokens) (\w+)([^`'\n]*)/g)];
    expect(calls.length).toBeGreaterThan(4);
    for (const [call, group, name, rest] of calls) {
      const command = groups[group as keyof typeof groups][name!];
      expect(command, call).toBeDefined();
      for (const option of all(/--([a-z-]+)/g, rest)) expect(Object.keys(command!.options), call).toContain(option);
    }
  });

  it('names metrics, alerts, fields and codes that there are', () => {
    const metrics = read('docs/metrics.md');
    const tables = new Set(all(/create table (\w+)/gi, migrations()));
    const named = all(/`(casebook_\w+)`/g);
    expect(named.length).toBeGreaterThan(4);
    for (const name of named) expect(metrics, name).toContain(`\`${name}\``);
    for (const name of all(/`(Casebook[A-Z]\w+)`/g))
      expect(read('deploy/prometheus/casebook-rules.yaml'), name).toContain(`alert: ${name}\n`);
    for (const name of ['event', 'event_key', 'sighting', 'signal', 'incident', 'affected', 'incident_change_epoch']) {
      expect(guide).toContain(name);
      expect(tables, name).toContain(name);
    }
    const schema = read('schema.graphql');
    for (const name of all(/`([a-z]+[A-Z]\w+)`/g).filter((word) => word !== 'failureThreshold'))
      expect(schema, name).toMatch(new RegExp(`\\b${name}\\b`));
    for (const name of all(/`([A-Z]{4,}(?:_[A-Z]+)*)[ `]/g).filter(
      (word) => !/^(LOG|CASEBOOK|DATABASE_URL|DROP|DELETE|TEST|VACUUM|SELECT)/.test(word),
    ))
      expect(source, name).toContain(name);
  });

  it('shows files that can be read, and SQL that runs', async () => {
    for (const text of blocks('yaml')) for (const document of parseAllDocuments(text)) expect(document.errors, text).toEqual([]);
    const { resources } = parse(blocks('yaml')[0]!) as { resources: string[] };
    expect(exists(resources[0]!.replace('../casebook/', ''))).toBe(true);
    const unit = blocks('ini')[0]!;
    expect(unit).toContain('dist/main.js');
    const client = new pg.Client({ connectionString: inject('postgresUrl').replace(/[^/]*$/, inject('postgresTemplate')) });
    await client.connect();
    try {
      const query = blocks('sql').find((text) => text.startsWith('SELECT'))!;
      const { rows } = await client.query<{ data: string }>(query);
      expect(rows).toHaveLength(10);
      expect(rows.filter(({ data }) => /_\d{8}$/.test(data))).toEqual([]);
      await client.query(
        'BEGIN; DELETE FROM incident_change_epoch; SELECT pid, state, xact_start, query FROM pg_stat_activity ORDER BY xact_start; ROLLBACK',
      );
    } finally {
      await client.end();
    }
  });
});

function migrations(): string {
  const names = readdirSync('prisma/migrations').filter((name) => /^\d/.test(name));
  return names.map((name) => read(`prisma/migrations/${name}/migration.sql`)).join('\n');
}
