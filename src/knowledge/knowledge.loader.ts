import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assembleKnowledge } from './assemble-knowledge.js';
import { KnowledgeError, type Finding } from './knowledge-error.js';
import type { KnowledgeSource } from './knowledge-source.js';
import type { Knowledge } from './problem.js';

/** Where knowledge comes from: the bundled folder, and a folder of the user's own that is laid over it. */
export interface KnowledgeFolders {
  bundled: string;
  overlay?: string | undefined;
}

/** Loads both folders; throws KnowledgeError with every mistake if there is any. */
export async function loadKnowledge(folders: KnowledgeFolders): Promise<Knowledge> {
  const { knowledge, findings } = await inspectKnowledge(folders);
  if (findings.length > 0) throw new KnowledgeError(findings);
  return knowledge;
}

/** Files laid over both folders by path, as text; null takes a file away. */
export type KnowledgeEdits = ReadonlyMap<string, string | null>;

/** Loads what is sound and returns the mistakes beside it, for the checking commands and for trying out edits. */
export async function inspectKnowledge(folders: KnowledgeFolders, edits: KnowledgeEdits = new Map()): Promise<{ knowledge: Knowledge; findings: Finding[] }> {
  const sources = new Map<string, KnowledgeSource>();
  const missing: Finding[] = [];
  for (const folder of [folders.bundled, folders.overlay]) {
    if (folder === undefined || folder === '') continue;
    const files = await listKnowledgeFiles(folder);
    if (!files) missing.push({ file: folder, line: 1, path: '', message: 'the folder cannot be read' });
    for (const { path } of files ?? []) {
      const file = join(folder, path);
      sources.set(path, { path, file, text: await readFile(file, 'utf8') });
    }
  }
  for (const [path, text] of edits) {
    if (text === null) sources.delete(path);
    else sources.set(path, { path, file: path, text });
  }
  const list = [...sources.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const hash = createHash('sha256');
  for (const { path, text } of list) hash.update(path).update('\0').update(text).update('\0');
  const { knowledge, findings } = assembleKnowledge(list, hash.digest('hex').slice(0, 12));
  return { knowledge, findings: [...missing, ...findings] };
}

/** A file of a knowledge folder and what tells a changed one from an unchanged one. */
export interface KnowledgeFile {
  path: string;
  stamp: string;
}

/**
 * Lists the YAML files of a folder, following symbolic links: Kubernetes mounts a ConfigMap as links into a hidden
 * folder that it swaps. Hidden names are left out. Undefined if the folder cannot be read.
 */
export async function listKnowledgeFiles(folder: string): Promise<KnowledgeFile[] | undefined> {
  const found: KnowledgeFile[] = [];
  const walk = async (inside: string): Promise<void> => {
    for (const name of (await readdir(join(folder, inside))).sort()) {
      const path = inside === '' ? name : `${inside}/${name}`;
      if (name.startsWith('.')) continue;
      const info = await stat(join(folder, path)).catch(() => undefined);
      if (info?.isDirectory()) await walk(path);
      else if (info?.isFile() && /\.ya?ml$/.test(name)) found.push({ path, stamp: `${info.ino}:${info.mtimeMs}:${info.size}` });
    }
  };
  try {
    await walk('');
  } catch {
    return undefined;
  }
  return found;
}
