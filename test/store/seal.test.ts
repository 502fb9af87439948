import { describe, expect, it } from 'vitest';
import { Sealer } from '../../src/store/seal.service.js';

const HEX = 'ab'.repeat(32);
const BASE64 = Buffer.alloc(32, 7).toString('base64');

describe('Sealer', () => {
  it.each([HEX, BASE64, BASE64.replace('=', '')])('opens what it sealed, with the key %s', (current) => {
    const sealer = new Sealer({ current });
    const sealed = sealer.seal('geheim 字', 'cluster/1');
    expect(sealed).not.toContain('geheim');
    expect(sealer.open(sealed, 'cluster/1')).toBe('geheim 字');
    expect(sealer.isCurrent(sealed)).toBe(true);
    expect(sealer.seal('geheim 字', 'cluster/1')).not.toBe(sealed);
  });

  it('takes the same key in either spelling', () => {
    const sealed = new Sealer({ current: HEX }).seal('x', 'a');
    expect(new Sealer({ current: Buffer.from(HEX, 'hex').toString('base64') }).open(sealed, 'a')).toBe('x');
  });

  it('opens under the words alone under which it sealed', () => {
    const sealer = new Sealer({ current: HEX });
    expect(() => sealer.open(sealer.seal('x', 'cluster/1'), 'cluster/2')).toThrow(expect.objectContaining({ code: 'SECRET_UNREADABLE' }));
  });

  it('notices every changed character', () => {
    const sealer = new Sealer({ current: HEX });
    const sealed = sealer.seal('x', 'a');
    for (let at = 0; at < sealed.length - 1; at++) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      expect(() => sealer.open(changed, 'a'), changed).toThrow(expect.objectContaining({ code: 'SECRET_UNREADABLE' }));
    }
    for (const text of ['', 's1', 's1.00000000.', 's1.00000000.AAAA', 'x'.repeat(100)])
      expect(() => sealer.open(text, 'a')).toThrow(expect.objectContaining({ code: 'SECRET_UNREADABLE' }));
  });

  it('opens with the old key what it does not seal with it any more', () => {
    const sealed = new Sealer({ current: HEX }).seal('x', 'a');
    const later = new Sealer({ current: BASE64, old: HEX });
    expect(later.open(sealed, 'a')).toBe('x');
    expect(later.isCurrent(sealed)).toBe(false);
    expect(() => new Sealer({ current: HEX }).open(later.seal('x', 'a'), 'a')).toThrow(/key [0-9a-f]{8}, which this service does not have/);
  });

  it('seals nothing without a key, and says which variable to set', () => {
    const none = new Sealer({});
    expect(none.ready).toBe(false);
    expect(() => none.seal('x', 'a')).toThrow(
      expect.objectContaining({ code: 'NO_SECRET_KEY', message: expect.stringContaining('CASEBOOK_SECRET_KEY') }),
    );
    expect(() => none.open(new Sealer({ current: HEX }).seal('x', 'a'), 'a')).toThrow(
      expect.objectContaining({ code: 'SECRET_UNREADABLE' }),
    );
  });

  it('tells nothing of its keys in errors and ids', () => {
    const sealed = new Sealer({ current: HEX }).seal('x', 'a');
    expect(HEX.startsWith(sealed.split('.')[1]!)).toBe(false);
  });
});
