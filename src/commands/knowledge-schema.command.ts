import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { knowledgeSchemas, schemaText } from '../knowledge/knowledge-schema.js';

const folder = fileURLToPath(new URL('../../knowledge', import.meta.url));
for (const [name, schema] of Object.entries(knowledgeSchemas())) {
  writeFileSync(join(folder, name), schemaText(schema));
  process.stdout.write(`knowledge/${name}\n`);
}
