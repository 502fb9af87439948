import { RequestError } from '../../platform/refusal.js';
import { checkText } from '../page.js';
import { ENTITY_KEYS } from './federation-sdl.js';
import type { EntityName } from './federation-sdl.js';

/** An entity as another graph refers to it. */
export interface Representation {
  type: EntityName;
  /** Value of the field that is the key of its type. */
  key: string;
}

/** Reads what another graph says of an entity; fields besides the key are its own. Throws RequestError BAD_INPUT. */
export function readRepresentation(value: unknown): Representation {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('is an object with __typename and the key of that type');
  const { __typename: type } = value as { __typename?: unknown };
  if (typeof type !== 'string') throw wrong('has a __typename');
  if (!isEntity(type)) throw wrong(`is of ${Object.keys(ENTITY_KEYS).join(', ')}, and not of ${JSON.stringify(type.slice(0, 100))}`);
  const field = ENTITY_KEYS[type];
  const key = (value as Record<string, unknown>)[field];
  if (typeof key !== 'string') throw wrong(`of ${type} has "${field}", a text`);
  return { type, key: checkText(field, key) };
}

function isEntity(type: string): type is EntityName {
  return Object.hasOwn(ENTITY_KEYS, type);
}

function wrong(said: string): RequestError {
  return new RequestError('BAD_INPUT', `A representation ${said}.`);
}
