import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { inspectKnowledge } from '../knowledge/knowledge.loader.js';
import { formatFinding } from '../knowledge/knowledge-error.js';
import { checkKnowledge } from '../matching/check-knowledge.js';

const usage = `knowledge:check [--knowledge <folder>] [--overlay <folder>] [--quiet] [path or id ...]
Checks the knowledge files. With paths or ids, only findings of those are shown; they are still held to the whole set.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { knowledge: { type: 'string' }, overlay: { type: 'string' }, quiet: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help) process.stdout.write(usage);
else process.exitCode = await run();

async function run(): Promise<number> {
  const bundled = resolve(values.knowledge ?? fileURLToPath(new URL('../../knowledge', import.meta.url)));
  const { knowledge, findings } = await inspectKnowledge({ bundled, overlay: values.overlay && resolve(values.overlay) });
  const wanted = positionals.map((path) => resolve(path.replace(/\/+$/, '')));
  const ids = positionals.map((path) => path.replace(/\/+$/, ''));
  const selectsFile = (file: string): boolean => wanted.length === 0 || wanted.some((path) => file === path || file.startsWith(`${path}/`));
  const selects = ({ id, file }: { id: string; file: string }): boolean =>
    selectsFile(file) || ids.some((wish) => id === wish || id.startsWith(`${wish}/`));
  const show = (file: string): string => relative(process.cwd(), file);

  const broken = findings.filter(({ file }) => selectsFile(file));
  const checked = checkKnowledge(knowledge, selects);
  const errors = [
    ...broken.map((finding) => `error   ${formatFinding({ ...finding, file: show(finding.file) })}`),
    ...checked.filter(({ level }) => level === 'error').map(({ file, message }) => `error   ${show(file)}: ${message}`),
  ];
  const warnings = checked.filter(({ level }) => level === 'warning').map(({ file, message }) => `warning ${show(file)}: ${message}`);
  for (const line of [...(values.quiet ? [] : warnings), ...errors]) process.stdout.write(`${line}\n`);
  const [problems, guides] = [knowledge.problems.filter(selects).length, knowledge.guides.filter(selects).length];
  const andGuides = guides > 0 ? ` and ${guides} guides` : '';
  process.stdout.write(
    `${problems} problems${andGuides} checked against ${knowledge.problems.length}: ${errors.length} errors, ${warnings.length} warnings\n`,
  );
  if (broken.length < findings.length)
    process.stdout.write(`(${findings.length - broken.length} errors in files that were not asked for are not shown)\n`);
  return errors.length > 0 ? 1 : 0;
}
