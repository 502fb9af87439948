import { z } from 'zod';
import { GuideFile } from './guide-file.js';
import { AreaFile, ProblemFile } from './problem-file.js';
import { referenceFiles } from './reference-file.js';

/** JSON Schemas of the knowledge files by file name, for completion in editors. Made of the loader's own schema. */
export function knowledgeSchemas(): Record<string, unknown> {
  const files = { problem: ProblemFile, area: AreaFile, guide: GuideFile, ...referenceFiles };
  return Object.fromEntries(
    Object.entries(files).map(([name, schema]) => [
      `${name}.schema.json`,
      { title: `Casebook ${name.replaceAll('-', ' ')}`, ...z.toJSONSchema(schema, { io: 'input' }) },
    ]),
  );
}

/** The text of a schema file as it is committed. */
export function schemaText(schema: unknown): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
