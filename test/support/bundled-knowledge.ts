import { fileURLToPath } from 'node:url';
import { inspectKnowledge } from '../../src/knowledge/knowledge.loader.js';

/** The folder of the knowledge that comes with the program. */
export const bundledFolder = fileURLToPath(new URL('../../knowledge', import.meta.url));

/** The bundled knowledge with the mistakes of its files, if there are any. */
export function bundledKnowledge(): ReturnType<typeof inspectKnowledge> {
  return inspectKnowledge({ bundled: bundledFolder });
}
