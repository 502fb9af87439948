import { z } from 'zod';

/** Which documents are answered over GraphQL. */
export interface DocumentConfig {
  /** `CASEBOOK_TRUSTED_DOCUMENTS`: manifest of persisted queries that clients may ask for by their ids. Default: none. */
  trusted?: string;
  /** `CASEBOOK_TRUSTED_DOCUMENTS_ONLY`: whether nothing else is answered, except for admins with a token, `on` or `off`. Default off. */
  only: boolean;
}

/** The variables of documents. */
export const documentVariables = {
  CASEBOOK_TRUSTED_DOCUMENTS: z.string().optional(),
  CASEBOOK_TRUSTED_DOCUMENTS_ONLY: z.enum(['on', 'off'], { error: 'expected on or off' }).default('off'),
};

type Values = z.infer<z.ZodObject<typeof documentVariables>>;

/** What is wrong with these variables when they are looked at together. */
export function checkDocuments(value: Values): { variable: string; message: string }[] {
  if (value.CASEBOOK_TRUSTED_DOCUMENTS_ONLY === 'off' || value.CASEBOOK_TRUSTED_DOCUMENTS) return [];
  return [
    { variable: 'CASEBOOK_TRUSTED_DOCUMENTS_ONLY', message: 'expected CASEBOOK_TRUSTED_DOCUMENTS beside it: nothing could be asked' },
  ];
}

/** The settings of documents. */
export function documentConfig({ CASEBOOK_TRUSTED_DOCUMENTS: trusted, CASEBOOK_TRUSTED_DOCUMENTS_ONLY: only }: Values): DocumentConfig {
  return { ...(trusted && { trusted }), only: only === 'on' };
}
