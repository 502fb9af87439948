import { z } from 'zod';

/** A variable that is read by `parse`, which returns what is wrong with a text as a text. */
export function parsedText<T>(parse: (text: string) => T | string) {
  return z.string().transform((text, context) => {
    const read = parse(text);
    if (typeof read !== 'string') return read;
    context.addIssue({ code: 'custom', message: read });
    return z.NEVER;
  });
}
