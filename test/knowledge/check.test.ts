import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatFinding } from '../../src/knowledge/knowledge-error.js';
import { knowledgeSchemas, schemaText } from '../../src/knowledge/knowledge-schema.js';
import { checkKnowledge } from '../../src/matching/check-knowledge.js';
import { bundledFolder, bundledKnowledge } from '../support/bundled-knowledge.js';

const { knowledge, findings } = await bundledKnowledge();

describe('the bundled knowledge', () => {
  it('loads without a mistake', () => {
    expect(findings.map(formatFinding)).toEqual([]);
    expect(knowledge.problems.length).toBeGreaterThan(0);
  });

  it('passes its own examples', () => {
    const errors = checkKnowledge(knowledge).filter(({ level }) => level === 'error');
    expect(errors.map(({ file, message }) => `${file.slice(bundledFolder.length + 1)}: ${message}`)).toEqual([]);
  });

  it.each(Object.entries(knowledgeSchemas()))('has a current %s (npm run knowledge:schema)', async (name, schema) => {
    expect(await readFile(join(bundledFolder, name), 'utf8')).toBe(schemaText(schema));
  });
});
