import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The keys with which secrets are sealed, each 32 bytes as base64 or as hex. */
export interface SecretKeys {
  /** The key that seals. Undefined: no secret can be kept. */
  current?: string | undefined;
  /** The key before it, which only opens. */
  old?: string | undefined;
}

/** Why a secret could not be sealed or opened; the message holds nothing of it. */
export class SealError extends Error {
  /**
   * @param code `NO_SECRET_KEY` when there is no key to seal with, `SECRET_UNREADABLE` when the secret was sealed with a key that is
   *   not set (any more), for another purpose, or was changed since
   */
  constructor(
    readonly code: 'NO_SECRET_KEY' | 'SECRET_UNREADABLE',
    message: string,
  ) {
    super(message);
  }
}

const CIPHER = 'aes-256-gcm';
/** Lengths of AES-GCM's nonce and tag, bytes. */
const NONCE = 12;
const TAG = 16;
const SEALED = /^s1\.([0-9a-f]{8})\.([\w-]+)$/;

interface Key {
  id: string;
  bytes: Buffer;
}

/**
 * Keeps secrets that have to be read again (signing secrets, credentials of clusters), so that the database alone does not tell
 * them: AES-256-GCM, a random nonce for each, with the id of the key in front: `s1.<key id>.<nonce, text and tag as base64url>`.
 */
export class Sealer {
  readonly #current: Key | undefined;
  readonly #byId: ReadonlyMap<string, Key>;

  constructor({ current, old }: SecretKeys) {
    this.#current = current === undefined ? undefined : keyOf(current);
    const keys = [this.#current, old === undefined ? undefined : keyOf(old)].filter((key) => key !== undefined);
    this.#byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** True when secrets can be sealed. */
  get ready(): boolean {
    return this.#current !== undefined;
  }

  /**
   * Seals a secret. `aad` says whose it is and what for, such as `cluster/12/signing`: it opens only under the same words, so that
   * a row copied over another is of no use.
   *
   * @throws SealError NO_SECRET_KEY
   */
  seal(plain: string, aad: string): string {
    const key = this.#current;
    if (!key) {
      throw new SealError(
        'NO_SECRET_KEY',
        'this service keeps no secrets, because CASEBOOK_SECRET_KEY (32 bytes, base64 or hex) is not set',
      );
    }
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, key.bytes, nonce).setAAD(Buffer.from(aad));
    const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `s1.${key.id}.${sealed.toString('base64url')}`;
  }

  /**
   * Opens what `seal` made under the same `aad`.
   *
   * @throws SealError SECRET_UNREADABLE
   */
  open(sealed: string, aad: string): string {
    const [, id, text] = SEALED.exec(sealed) ?? [];
    if (id === undefined || text === undefined)
      throw new SealError('SECRET_UNREADABLE', 'a stored secret is not in the form of a sealed one');
    const key = this.#byId.get(id);
    if (!key) {
      const hint = this.#current ? 'CASEBOOK_SECRET_KEY_OLD takes a former key' : 'CASEBOOK_SECRET_KEY is not set';
      throw new SealError('SECRET_UNREADABLE', `a stored secret was sealed with the key ${id}, which this service does not have; ${hint}`);
    }
    const bytes = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAAD(Buffer.from(aad)).setAuthTag(bytes.subarray(-TAG));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8');
    } catch (error) {
      throw Object.assign(new SealError('SECRET_UNREADABLE', 'a stored secret was changed, or belongs elsewhere'), { cause: error });
    }
  }

  /** False for a secret that the old key sealed: whoever has just opened it may seal it anew, until the old key is of no use. */
  isCurrent(sealed: string): boolean {
    return SEALED.exec(sealed)?.[1] === this.#current?.id;
  }
}

/** The id is a hash, and says nothing of the key. */
function keyOf(text: string): Key {
  const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  if (bytes.length !== 32) throw new Error('a secret key has 32 bytes');
  const id = createHash('sha256').update('casebook key ').update(bytes).digest('hex').slice(0, 8);
  return { id, bytes };
}
