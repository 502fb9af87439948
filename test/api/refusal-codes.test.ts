import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../src/platform/refusal.js';

/** Codes of errors that only a start can meet; main.ts tells those. */
const OF_START = ['CONFIG', 'EMBEDDED_POSTGRES', 'KNOWLEDGE_INVALID', 'MASK_PATTERNS', 'TRUSTED_DOCUMENTS'];
/** Codes of errors that do not leave the watch of a cluster; its state tells them. */
const OF_WATCHES = ['LEASE_LOST', 'WATCH_SOURCE'];

describe('codes of errors', () => {
  it('are all translated for callers', async () => {
    const files = (await readdir('src', { recursive: true })).filter((file) => file.endsWith('.ts') && !file.includes('generated'));
    const texts = await Promise.all(files.map((file) => readFile(join('src', file), 'utf8')));
    const unreadable = /type UnreadableBodyCode = (.+);/.exec(texts.join('\n'))![1]!;
    const codes = [...texts.join('\n').matchAll(/readonly code = '([A-Z_]+)'/g), ...unreadable.matchAll(/'([A-Z_0-9]+)'/g)].map(
      ([, code]) => code!,
    );
    expect(codes.length).toBeGreaterThan(6);
    const untold = codes.filter(
      (code) =>
        !OF_START.includes(code) && !OF_WATCHES.includes(code) && refusalOf(Object.assign(new Error('x'), { code })).code === 'INTERNAL',
    );
    expect(untold).toEqual([]);
  });
});
