import type { Problem } from '../../src/knowledge/problem.js';
import { ProblemFile, Provider } from '../../src/knowledge/problem-file.js';

const text = { en: 'Something.', zh: '某事。' };

/** A complete problem of which a test says only what matters to it. */
export function problemOf(id: string, fields: Partial<Problem> = {}): Problem {
  const [provider, area] = id.split('/');
  const file = ProblemFile.parse({
    title: text,
    summary: text,
    severity: 'error',
    consequence: text,
    causes: [{ text, checks: [{ look: text }], remedies: [text] }],
  });
  return {
    ...file,
    id,
    provider: Provider.parse(provider),
    area: area!,
    objectKinds: ['Pod'],
    clears: { by: 'quiet', quiet: '30m' },
    file: `knowledge/${id}.yaml`,
    ...fields,
  };
}
