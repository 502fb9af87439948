import { z } from 'zod';
import { AreaFile, ProblemFile } from './problem-file.js';

/** JSON Schemas of the knowledge files by file name, for completion in editors. Made of the loader's own schema. */
export function knowledgeSchemas(): Record<'problem.schema.json' | 'area.schema.json', unknown> {
  return {
    'problem.schema.json': { title: 'Casebook problem', ...z.toJSONSchema(ProblemFile, { io: 'input' }) },
    'area.schema.json': { title: 'Casebook area', ...z.toJSONSchema(AreaFile, { io: 'input' }) },
  };
}

/** The text of a schema file as it is committed. */
export function schemaText(schema: unknown): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
