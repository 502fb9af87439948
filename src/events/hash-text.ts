/**
 * Hashes a text to 128 bits in 32 hexadecimal digits: MurmurHash3's x86 128-bit mixing, one UTF-16 unit per lane and
 * step. It tells events apart and is not cryptographic: a sender who wants two of its events to collide can have that.
 */
export function hashText(text: string): string {
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  let c = 0xc2b2ae35;
  let d = 0x27d4eb2f;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at) + 1;
    a = Math.imul(rotate(a ^ Math.imul(unit, 0x239b961b), 19) + b, 5) + 0x561ccd1b;
    b = Math.imul(rotate(b ^ Math.imul(unit, 0xab0e9789), 17) + c, 5) + 0x0bcaa747;
    c = Math.imul(rotate(c ^ Math.imul(unit, 0x38b34ae5), 15) + d, 5) + 0x96cd1c35;
    d = Math.imul(rotate(d ^ Math.imul(unit, 0xa1e38b93), 13) + a, 5) + 0x32ac3b17;
  }
  a ^= text.length;
  a = finish(a + b + c + d);
  b = finish(b + a);
  c = finish(c + a + b);
  d = finish(d + a + b + c);
  return hex(a + d) + hex(b) + hex(c) + hex(d);
}

function rotate(lane: number, bits: number): number {
  return (lane << bits) | (lane >>> (32 - bits));
}

function finish(lane: number): number {
  let mixed = lane | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
