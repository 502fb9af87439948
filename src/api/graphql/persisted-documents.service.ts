import { createHash } from 'node:crypto';
import type { Caller } from '../../platform/access.js';
import { hasRole } from '../../platform/access.js';
import { RequestError } from '../../platform/refusal.js';
import { graphqlRefusal, unknownDocument } from './graphql-errors.service.js';
import { RecentTexts } from './recent-texts.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** What of a request says which document it is about, as it came. */
export interface AskedDocument {
  query?: unknown;
  extensions?: unknown;
}

/** Documents that are asked for by an id. */
export interface DocumentOptions {
  trusted: TrustedDocuments;
  /** True when nothing but trusted documents is answered. */
  only: boolean;
}

/** Bounds of what clients have sent: some megabytes, and documents longer than any portal's are sent in full each time. */
const REMEMBERED = { texts: 2000, characters: 8 * 1024 * 1024, each: 64 * 1024 };

/** What Apollo Server puts in front of the ids of persisted queries. */
const PREFIX = 'apq:';

/**
 * Documents that clients ask for by an id instead of the text: those of the operator's list, which are always there, and those
 * that a client has sent once with its SHA-256 hash (automatic persisted queries), as long as there is room.
 */
export class PersistedDocuments {
  readonly #recent = new RecentTexts(REMEMBERED);
  readonly #texts: ReadonlySet<string>;

  constructor(private readonly options: DocumentOptions) {
    this.#texts = new Set(options.trusted.values());
  }

  /** Documents of the operator's list. */
  get trusted(): TrustedDocuments {
    return this.options.trusted;
  }

  /** Throws a GraphQLError when the id and the text do not belong together, or the caller may not ask for this document. */
  admit(asked: AskedDocument, caller: Caller): void {
    const { text, id } = read(asked);
    if (id !== undefined && text !== undefined && hashOf(text) !== id)
      throw graphqlRefusal(new RequestError('BAD_INPUT', 'sha256Hash is not the SHA-256 hash of the query.'));
    if (!this.options.only || (id === undefined && text === undefined) || isExempt(caller)) return;
    if (text === undefined ? this.trusted.has(id!) : this.#texts.has(text)) return;
    throw graphqlRefusal(
      new RequestError('FORBIDDEN', "Only the documents of the operator's list are answered here, and this is none of them."),
    );
  }

  /** The text of what was asked for and admitted. Throws a GraphQLError when it is not known by its id. */
  textOf(asked: AskedDocument): string {
    const { text, id } = read(asked);
    const known = text ?? this.#find(id);
    if (known !== undefined) return known;
    if (id === undefined) throw graphqlRefusal(new RequestError('BAD_INPUT', 'There is no query, and no id of one.'));
    throw unknownDocument();
  }

  /** Remembers a document that turned out to be good, if it came with its hash. */
  remember(asked: AskedDocument): void {
    const { text, id } = read(asked);
    if (text !== undefined && id !== undefined) this.#keep(id, text);
  }

  /** The same for the GraphQL server over HTTP, which speaks the protocol by itself and puts a prefix in front of ids. */
  readonly cache = {
    get: async (key: string): Promise<string | undefined> => this.#find(key.slice(PREFIX.length)),
    set: async (key: string, text: string): Promise<void> => this.#keep(key.slice(PREFIX.length), text),
    delete: async (key: string): Promise<void> => this.#recent.delete(key.slice(PREFIX.length)),
  };

  #keep(id: string, text: string): void {
    if (!this.trusted.has(id)) this.#recent.set(id, text);
  }

  #find(id: string | undefined): string | undefined {
    return id === undefined ? undefined : (this.trusted.get(id) ?? this.#recent.get(id));
  }
}

/** Admins look after the service, and so may ask it anything; who has no token is nobody in particular. */
function isExempt(caller: Caller): boolean {
  return caller.kind === 'user' && hasRole(caller, 'admin');
}

function read({ query, extensions }: AskedDocument): { text?: string | undefined; id?: string | undefined } {
  const persisted = (extensions as { persistedQuery?: unknown } | null | undefined)?.persistedQuery as
    { version?: unknown; sha256Hash?: unknown } | null | undefined;
  const text = typeof query === 'string' ? query : undefined;
  if (persisted === undefined || persisted === null) return { text };
  if (persisted.version !== 1 || typeof persisted.sha256Hash !== 'string')
    throw graphqlRefusal(new RequestError('BAD_INPUT', 'extensions.persistedQuery has to be { "version": 1, "sha256Hash": "<id>" }.'));
  return { text, id: persisted.sha256Hash };
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
