import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { Type } from '@nestjs/common';
import type { Locale as LocaleWord } from '../choose-locale.js';
import { Locale } from './enums.js';
import type { GraphqlContext } from './graphql-context.js';

/** The locale argument of a text. */
export const LOCALE = {
  type: () => Locale,
  nullable: true,
  description: 'Language; by default that of the Accept-Language header, else EN.',
} as const;

/** A text of the knowledge base in both languages. */
export interface LocalTextValue {
  en: string;
  zh: string;
}

/** A field that is a text in the caller's language. */
export interface TextField {
  description: string;
  nullable?: boolean;
}

/**
 * Makes the resolver of the texts of a type: each one is a field with a locale argument, read from the property of the
 * same name, which holds both languages.
 */
export function textResolver(type: () => Type<unknown>, fields: Readonly<Record<string, TextField>>): Type<object> {
  @Resolver(type)
  class TextResolver {}
  const target = TextResolver.prototype as Record<string, unknown>;
  for (const [name, options] of Object.entries(fields)) {
    target[name] = (parent: Record<string, LocalTextValue | undefined>, locale: LocaleWord | null, { locale: wish }: GraphqlContext) =>
      parent[name]?.[locale ?? wish];
    // What the compiler would write down for a method with these parameters.
    Reflect.defineMetadata('design:paramtypes', [Object, String, Object], target, name);
    Parent()(target, name, 0);
    Args('locale', LOCALE)(target, name, 1);
    Context()(target, name, 2);
    ResolveField(name, () => String, { nullable: options.nullable ?? false, description: options.description })(
      target,
      name,
      Object.getOwnPropertyDescriptor(target, name)!,
    );
  }
  return TextResolver;
}
