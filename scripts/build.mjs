// npm run build: generates the Prisma client and compiles src/ to dist/, each only when its inputs have changed.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const GENERATED = 'src/store/generated';
const STAMP = '.inputs';

/** True when dist/ was made from the sources as they are now. Reads names, sizes and times only. */
export async function isBuilt() {
  return (await stamp('dist')) === (await fingerprint(await sources())) && isGenerated();
}

/** Generates the Prisma client unless it is up to date. Needs no network. */
export async function generate() {
  if (await isGenerated()) return;
  const cli = join(ROOT, 'node_modules/prisma/build/index.js');
  // `generate` does not run the schema engine but downloads it when none is named: name a file that exists.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: cli, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' };
  await promisify(execFile)(process.execPath, [cli, 'generate'], { cwd: ROOT, env }).catch((error) => {
    throw new Error(`prisma generate failed:\n${error.stdout}${error.stderr}`);
  });
  await writeFile(join(ROOT, GENERATED, STAMP), await generatorInputs());
}

/** Builds dist/ unless it is up to date. The new dist/ takes the old one's place only when it is complete. */
export async function build() {
  await generate();
  const files = await sources();
  const inputs = await fingerprint(files);
  if ((await stamp('dist')) === inputs) return;
  const started = performance.now();
  const { transformFile } = await import('@swc/core');
  const options = JSON.parse(await readFile(join(ROOT, '.swcrc'), 'utf8'));
  const draft = join(ROOT, `dist.new-${process.pid}`);
  try {
    const modules = files.filter((file) => file.startsWith('src/') && !/\.(spec|d)\.ts$/.test(file) && !file.endsWith(STAMP));
    await Promise.all(modules.map((file) => compile(file, draft, options, transformFile)));
    await writeFile(join(draft, STAMP), inputs);
    await rm(join(ROOT, 'dist'), { recursive: true, force: true });
    await rename(draft, join(ROOT, 'dist'));
    console.log(`Built ${modules.length} files in ${Math.round(performance.now() - started)} ms.`);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function compile(file, draft, options, transformFile) {
  const target = join(draft, file.slice('src/'.length));
  await mkdir(dirname(target), { recursive: true });
  if (!file.endsWith('.ts')) return cp(join(ROOT, file), target);
  const output = target.replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(join(ROOT, file), { ...options, swcrc: false, sourceMaps: true, sourceFileName: file });
  const name = output.split(/[/\\]/).at(-1);
  await writeFile(output, `${code}\n//# sourceMappingURL=${name}.map\n`);
  await writeFile(`${output}.map`, map);
}

/** Files that dist/ is made from, relative to the root, sorted. */
async function sources() {
  const entries = await readdir(join(ROOT, 'src'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  return [...files.map((file) => file.replaceAll('\\', '/')).sort(), '.swcrc', 'package-lock.json'];
}

async function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = await stat(join(ROOT, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

async function isGenerated() {
  return (await stamp(GENERATED)) === (await generatorInputs());
}

async function generatorInputs() {
  const { version } = JSON.parse(await readFile(join(ROOT, 'node_modules/prisma/package.json'), 'utf8'));
  return createHash('sha256')
    .update(version)
    .update(await readFile(join(ROOT, 'prisma/schema.prisma')))
    .digest('hex');
}

async function stamp(folder) {
  return readFile(join(ROOT, folder, STAMP), 'utf8').catch(() => undefined);
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await build().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
