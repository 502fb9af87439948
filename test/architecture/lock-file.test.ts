import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

describe('package-lock.json', () => {
  it('works with any registry', async () => {
    const { packages } = await readLock();
    expect(Object.keys(packages).filter((name) => packages[name]?.resolved)).toEqual([]);
  });

  it('names the packages of every platform; scripts/complete-lock.mjs adds missing ones', async () => {
    const { packages } = await readLock();
    const missing = Object.entries(packages).flatMap(([owner, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) => !packages[`node_modules/${name}`] && !packages[`${owner}/node_modules/${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });
});

async function readLock(): Promise<{ packages: Record<string, LockedPackage> }> {
  return JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> };
}
