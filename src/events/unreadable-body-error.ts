/** Why a body as a whole cannot be read. */
export type UnreadableBodyCode = 'EMPTY_BODY' | 'NOT_UTF8' | 'NOT_JSON' | 'NOT_PROTOBUF' | 'UNKNOWN_SHAPE' | 'TOO_MANY_ELEMENTS';

/** Thrown when nothing of a body can be read; its message says what was found, where, and what was expected. */
export class UnreadableBodyError extends Error {
  override readonly name = 'UnreadableBodyError';
  readonly code: UnreadableBodyCode;

  constructor(code: UnreadableBodyCode, message: string) {
    super(message);
    this.code = code;
  }
}
