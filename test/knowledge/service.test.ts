import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KnowledgeError } from '../../src/knowledge/knowledge-error.js';
import { KnowledgeService } from '../../src/knowledge/knowledge.service.js';
import type { Knowledge } from '../../src/knowledge/problem.js';

const area = 'title: { en: Area, zh: 区域 }\nobjectKinds: [Pod]\nclears: { by: quiet }\n';

function problem(severity: string): string {
  return `title: { en: T, zh: 题 }\nsummary: { en: S, zh: 摘 }\nseverity: ${severity}\nconsequence: { en: C, zh: 果 }
causes: [{ text: { en: C, zh: 因 }, checks: [{ look: { en: L, zh: 看 } }], remedies: [{ en: R, zh: 修 }] }]\n`;
}

describe('KnowledgeService', () => {
  let folder: string;
  let log: string[];
  let service: KnowledgeService;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'knowledge-'));
    log = [];
    const to = (level: string) => (_: object, message: string) => log.push(`${level}: ${message}`);
    service = new KnowledgeService({ bundled: folder, pollMs: 0, logger: { info: to('info'), warn: to('warn'), error: to('error') } });
    await mkdir(join(folder, 'kubernetes/a'), { recursive: true });
    await writeFile(join(folder, 'kubernetes/a/_area.yaml'), area);
    await writeFile(join(folder, 'kubernetes/a/one.yaml'), problem('error'));
  });

  afterEach(async () => {
    service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('refuses to start on files with mistakes', async () => {
    await writeFile(join(folder, 'kubernetes/a/one.yaml'), problem('awful'));
    expect(() => service.current()).toThrow('before it is loaded');
    await expect(service.start()).rejects.toThrow(KnowledgeError);
  });

  it('replaces the set when a file changes, and tells its listeners', async () => {
    await service.start();
    const seen: Knowledge[] = [];
    const unsubscribe = service.onChange((knowledge) => seen.push(knowledge));
    await service.poll();
    expect(seen).toEqual([]);
    await writeFile(join(folder, 'kubernetes/a/two.yaml'), problem('info'));
    await service.poll();
    expect(seen).toEqual([service.current()]);
    expect(service.current().problems.map(({ id }) => id)).toEqual(['kubernetes/a/one', 'kubernetes/a/two']);
    unsubscribe();
    await rm(join(folder, 'kubernetes/a/two.yaml'));
    await service.poll();
    expect(service.current().problems).toHaveLength(1);
    expect(seen).toHaveLength(1);
  });

  it('keeps the last good set, and says what is wrong with the new one', async () => {
    await service.start();
    const good = service.current();
    await writeFile(join(folder, 'kubernetes/a/one.yaml'), problem('awful-severity'));
    await service.poll();
    expect(service.current()).toBe(good);
    expect(service.lastError?.findings).toMatchObject([{ line: 3, path: 'severity' }]);
    expect(log.at(-1)).toBe('error: knowledge is not replaced, its files have mistakes');
    await writeFile(join(folder, 'kubernetes/a/one.yaml'), problem('warning'));
    expect(await service.reload()).toMatchObject({ ok: true, changed: true });
    expect(service.lastError).toBeUndefined();
    expect(service.current().problems[0]!.severity).toBe('warning');
  });

  it('does not tell of a reload that changed nothing', async () => {
    await service.start();
    service.onChange(() => expect.fail('nothing changed'));
    expect(await service.reload()).toEqual({ ok: true, changed: false, version: service.current().version });
  });

  it('reads again what has changed after a load began, for whoever asks then', async () => {
    await service.start();
    let asked: Promise<unknown> | undefined;
    // Called at the end of a load, when everything has been read.
    service.onChange(() => {
      if (asked) return;
      writeFileSync(join(folder, 'kubernetes/a/two.yaml'), problem('info'));
      asked = service.reload();
    });
    await writeFile(join(folder, 'kubernetes/a/one.yaml'), problem('info'));
    await service.reload();
    await asked;
    expect(service.current().problems.map(({ id }) => id)).toEqual(['kubernetes/a/one', 'kubernetes/a/two']);
  });

  it('goes on when a listener fails', async () => {
    await service.start();
    let told = false;
    service.onChange(() => {
      throw new Error('bad listener');
    });
    service.onChange(() => (told = true));
    await writeFile(join(folder, 'kubernetes/a/one.yaml'), problem('info'));
    await service.poll();
    expect(told).toBe(true);
    expect(log).toContain('error: a listener of knowledge failed');
  });

  it('notices by itself that a ConfigMap was swapped', async () => {
    const overlay = await mkdtemp(join(tmpdir(), 'overlay-'));
    try {
      for (const [version, severity] of [
        ['..1', 'error'],
        ['..2', 'info'],
      ] as const) {
        await mkdir(join(overlay, version, 'ack/b'), { recursive: true });
        await writeFile(join(overlay, version, 'ack/b/_area.yaml'), area);
        await writeFile(join(overlay, version, 'ack/b/mine.yaml'), problem(severity));
      }
      await symlink('..1', join(overlay, '..data'));
      await symlink(join('..data', 'ack'), join(overlay, 'ack'));
      const quiet = (): void => undefined;
      service = new KnowledgeService({ bundled: folder, overlay, pollMs: 5, logger: { info: quiet, warn: quiet, error: quiet } });
      await service.start();
      expect(service.current().byId.get('ack/b/mine')!.severity).toBe('error');
      const changed = new Promise<Knowledge>((resolve) => service.onChange(resolve));
      await symlink('..2', join(overlay, '..data_tmp'));
      await rename(join(overlay, '..data_tmp'), join(overlay, '..data'));
      expect((await changed).byId.get('ack/b/mine')!.severity).toBe('info');
    } finally {
      service.stop();
      await rm(overlay, { recursive: true, force: true });
    }
  });
});
