import type { GraphQLSchema, ValidationRule } from 'graphql';
import { parse, specifiedRules, validate } from 'graphql';
import { z } from 'zod';
import { LIMITS } from './limits.js';

/** The list of trusted documents is wrong: the message names the file and each document that is. */
export class TrustedDocumentsError extends Error {
  override readonly name = 'TrustedDocumentsError';
  readonly code = 'TRUSTED_DOCUMENTS';
}

/** Documents of the operator's list, by their ids. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/** Largest list, in characters. */
const LONGEST = 16 * 1024 * 1024;
const MOST_DOCUMENTS = 10_000;
/** Most mistakes that are told at once. */
const MOST_TOLD = 10;

const Manifest = z.object({
  format: z.literal('apollo-persisted-query-manifest'),
  version: z.literal(1),
  operations: z
    .array(z.object({ id: z.string().min(1).max(200), name: z.string().max(1000).optional(), body: z.string().min(1) }))
    .max(MOST_DOCUMENTS),
});

/**
 * Reads a manifest of persisted queries, as Apollo's generate-persisted-query-manifest writes it.
 *
 * @throws TrustedDocumentsError
 */
export function parseTrustedDocuments(text: string, file: string): TrustedDocuments {
  if (text.length > LONGEST) throw wrong(file, [`it has ${text.length} characters; at most ${LONGEST} are read`]);
  const { success, data, error } = Manifest.safeParse(readJson(text, file));
  if (!success)
    throw wrong(
      file,
      error.issues.map(({ path, message }) => `${path.join('.') || 'the manifest'}: ${message}`),
    );
  const documents = new Map<string, string>();
  const mistakes: string[] = [];
  for (const { id, name, body } of data.operations) {
    const problem = documents.has(id) ? 'there is another document of this id' : mistakeOf(body);
    if (problem !== undefined) mistakes.push(describe(id, name, problem));
    documents.set(id, body);
  }
  if (mistakes.length > 0) throw wrong(file, mistakes);
  return documents;
}

/**
 * Checks that a schema can answer every document.
 *
 * @throws TrustedDocumentsError
 */
export function checkTrustedDocuments(documents: TrustedDocuments, schema: GraphQLSchema, rules: readonly ValidationRule[]): void {
  const mistakes = [...documents].flatMap(([id, text]) => {
    const [error] = validate(schema, parse(text), [...specifiedRules, ...rules]);
    return error ? [describe(id, undefined, error.message)] : [];
  });
  if (mistakes.length > 0) throw wrong('the list of trusted documents', mistakes);
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrong(file, [`it is no JSON: ${(error as Error).message}`]);
  }
}

function mistakeOf(body: string): string | undefined {
  try {
    const { definitions } = parse(body, { maxTokens: LIMITS.tokens });
    return definitions.some(({ kind }) => kind === 'OperationDefinition') ? undefined : 'it holds no operation';
  } catch (error) {
    return (error as Error).message;
  }
}

function describe(id: string, name: string | undefined, mistake: string): string {
  return `${JSON.stringify(id)}${name ? ` (${name})` : ''}: ${mistake}`;
}

function wrong(file: string, mistakes: readonly string[]): TrustedDocumentsError {
  const more = mistakes.length > MOST_TOLD ? [`and ${mistakes.length - MOST_TOLD} more`] : [];
  return new TrustedDocumentsError(
    [`CASEBOOK_TRUSTED_DOCUMENTS: ${file} cannot be used:`, ...[...mistakes.slice(0, MOST_TOLD), ...more].map((line) => `  ${line}`)].join(
      '\n',
    ),
  );
}
