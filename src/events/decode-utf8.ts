const NEWLINE = 10;

/** Decodes a UTF-8 text without its byte order mark, or gives undefined when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes line by line; a line that is not UTF-8 comes as undefined. */
export function* decodeUtf8Lines(bytes: Uint8Array): Generator<string | undefined> {
  const decoder = new TextDecoder();
  for (let from = 0; from <= bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(from, to);
    // Looked at before decoding, because a thrown error per line would let one body block the process for long.
    yield invalidUtf8At(line) === -1 ? decoder.decode(line) : undefined;
    from = to + 1;
  }
}

/** Finds the offset of the first byte sequence that is not UTF-8; -1 when there is none. */
export function invalidUtf8At(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

/** Bytes of the character at an offset, 0 when it is malformed, overlong, a surrogate or past U+10FFFF. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < lowest || second > highest) return 0;
  for (let next = at + 2; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
