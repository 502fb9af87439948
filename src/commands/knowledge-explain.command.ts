import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { inspectKnowledge } from '../knowledge/knowledge.loader.js';
import { Provider } from '../knowledge/problem-file.js';
import { compileMatcher } from '../matching/compile-matcher.js';
import { EventFacts } from '../matching/event-facts.js';
import { explainMatch } from '../matching/explain-match.js';
import { whyRuleFails } from '../matching/why-rule-fails.js';
import { readDescribedEvent } from './read-described-event.js';

const usage = `knowledge:explain [--kind K] [--reason R] [--type T] [--reporter R] [--provider P] [--problem id] [--json] [message or event]
Tells which problems an event shows, and why. The event is a bare message or JSON; without an argument it is read from
standard input. --problem tells besides why the rules of that problem do not hold.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kind: { type: 'string' },
    reason: { type: 'string' },
    type: { type: 'string' },
    reporter: { type: 'string' },
    provider: { type: 'string' },
    problem: { type: 'string' },
    knowledge: { type: 'string' },
    overlay: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
if (values.help) process.stdout.write(usage);
else process.exitCode = await run();

async function run(): Promise<number> {
  const bundled = resolve(values.knowledge ?? fileURLToPath(new URL('../../knowledge', import.meta.url)));
  const { knowledge, findings } = await inspectKnowledge({ bundled, overlay: values.overlay });
  if (findings.length > 0) process.stderr.write(`${findings.length} errors in the knowledge files; see knowledge:check\n`);
  const provider = Provider.optional().safeParse(values.provider);
  if (!provider.success) {
    process.stderr.write(`--provider has to be one of ${Provider.options.join(', ')}\n`);
    return 2;
  }
  const matcher = compileMatcher(knowledge.problems);
  const event = readDescribedEvent(positionals.length > 0 ? positionals.join(' ') : readFileSync(0, 'utf8'), values);
  const context = { provider: provider.data };
  const explained = explainMatch(matcher, event, context);
  if (values.json) {
    process.stdout.write(`${JSON.stringify(explained, undefined, 2)}\n`);
    return 0;
  }
  const lines = [
    `message    ${explained.message}`,
    `code       ${explained.code ?? '-'}`,
    `exit codes ${explained.exitCodes.join(', ') || '-'}`,
    '',
  ];
  for (const { problem, basis, score, rules, captured, dropped, fallback } of explained.candidates) {
    const confidence = explained.diagnoses.find((diagnosis) => diagnosis.problem === problem)?.confidence;
    lines.push(
      `${confidence?.toFixed(2) ?? ' -- '} ${problem}  (${basis}${fallback ? ', fallback' : ''}, score ${score})${dropped === undefined ? '' : `  dropped: ${dropped}`}`,
    );
    for (const rule of rules) lines.push(`       recognise.${rule.index}: ${rule.matchedOn} (${rule.score})`);
    for (const [name, value] of Object.entries(captured)) lines.push(`       {${name}} = ${value}`);
  }
  if (explained.candidates.length === 0) lines.push('no problem is recognised');
  if (values.problem !== undefined) {
    const facts = new EventFacts(event, context);
    const rules = matcher.rules.filter((rule) => rule.problem.id === values.problem);
    lines.push('', `${values.problem}: ${rules.length} rules`);
    for (const rule of rules) lines.push(`  recognise.${rule.index}: ${whyRuleFails(rule, facts) ?? 'holds'}`);
  }
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}
