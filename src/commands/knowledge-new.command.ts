import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Provider } from '../knowledge/problem-file.js';

const usage = `knowledge:new [--knowledge <folder>] <provider>/<area>/<name>
Writes a problem file to fill in, and an _area.yaml if the area has none.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { knowledge: { type: 'string' }, help: { type: 'boolean' } },
});
process.exitCode = run(positionals[0]);

function run(id: string | undefined): number {
  const [provider, area, name] = /^([a-z0-9-]+)\/([a-z0-9-]+)\/([A-Za-z0-9-]+)$/.exec(id ?? '')?.slice(1) ?? [];
  if (values.help || !area || !name || !Provider.safeParse(provider).success) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  const overlay = values.knowledge === undefined ? '' : `--overlay ${values.knowledge} `;
  const root = resolve(values.knowledge ?? fileURLToPath(new URL('../../knowledge', import.meta.url)));
  const file = join(root, `${id}.yaml`);
  if (existsSync(file)) {
    process.stderr.write(`${relative(process.cwd(), file)} exists already\n`);
    return 1;
  }
  const areaFile = join(dirname(file), '_area.yaml');
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(areaFile)) writeFileSync(areaFile, areaText(area));
  writeFileSync(file, problemText(name));
  process.stdout.write(`${relative(process.cwd(), file)}\nFill it in, then run: npm run knowledge:check -- ${overlay}${id}\n`);
  return 0;
}

function areaText(area: string): string {
  return `# yaml-language-server: $schema=../../area.schema.json
title: { en: '${area}', zh: '待填写' }
objectKinds: [Pod]
clears: { by: quiet, quiet: 30m }
`;
}

function problemText(name: string): string {
  const code = /^[EWS]\d{4}$/.test(name) ? name : undefined;
  return `# yaml-language-server: $schema=../../problem.schema.json
title: { en: TODO what is wrong in one line, zh: 待填写 }
summary:
  en: TODO what it is, in two or three sentences.
  zh: 待填写
severity: error
consequence: { en: TODO what happens if nobody acts., zh: 待填写 }
${code ? `code: ${code}\n` : ''}recognise:
${code ? `  - code: ${code}\n` : ''}  - message: 'TODO literal text with {placeholder}'
causes:
  - text: { en: TODO the most likely cause., zh: 待填写 }
    checks:
      - run: kubectl describe {kind} {name} -n {namespace}
        look: { en: TODO what confirms it., zh: 待填写 }
    remedies:
      - { en: TODO how to fix it., zh: 待填写 }
examples:
  match:
    - { kind: Pod, reporter: kubelet, message: 'TODO literal text with value' }
    - { kind: Pod, reporter: kubelet, message: 'TODO another true text' }
  noMatch:
    - { kind: Pod, reporter: kubelet, message: 'TODO a text that looks alike and is something else' }
`;
}
