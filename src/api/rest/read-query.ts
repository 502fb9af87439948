import { Provider } from '../../knowledge/problem-file.js';
import { RequestError } from '../../platform/refusal.js';
import type { Locale } from '../choose-locale.js';
import { chooseLocale } from '../choose-locale.js';
import { checkText } from '../page.js';

/** The query parameters of a request, as they came in. */
export type Query = Readonly<Record<string, string | string[] | undefined>>;

/** A text parameter; undefined when absent or empty. Throws RequestError BAD_INPUT when it is given twice or too long. */
export function textOf(query: Query, name: string): string | undefined {
  const value = query[name];
  if (Array.isArray(value)) throw new RequestError('BAD_INPUT', `${name} is given more than once.`);
  return value ? checkText(name, value) : undefined;
}

/** The page size of a request. Throws RequestError BAD_INPUT when it is no number. */
export function firstOf(query: Query, byDefault: number): number {
  const value = textOf(query, 'first');
  if (value === undefined) return byDefault;
  if (!/^\d{1,6}$/.test(value))
    throw new RequestError('BAD_INPUT', `first has to be a whole number, got ${JSON.stringify(value.slice(0, 40))}.`);
  return Number(value);
}

/** The provider parameter. Throws RequestError BAD_INPUT that names the known ones. */
export function providerOf(query: Query): Provider | undefined {
  const value = textOf(query, 'provider');
  if (value === undefined) return undefined;
  const known = Provider.safeParse(value.toLowerCase().replaceAll('_', '-'));
  if (known.success) return known.data;
  throw new RequestError('BAD_INPUT', `provider has to be one of ${Provider.options.join(', ')}.`);
}

/** The language of the answer: the locale parameter, else the best for Accept-Language. */
export function localeOf(query: Query, acceptLanguage: string | undefined): Locale {
  const value = textOf(query, 'locale')?.toLowerCase();
  if (value === undefined) return chooseLocale(acceptLanguage);
  if (value === 'en' || value === 'zh') return value;
  throw new RequestError('BAD_INPUT', 'locale has to be en or zh.');
}
