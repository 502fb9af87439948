import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadClientConfig } from '../config/client-config.loader.js';
import { listKnowledgeFiles } from '../knowledge/knowledge.loader.js';
import { askService } from './ask-service.service.js';
import { clientOptions, tellCommandFailure } from './client-options.service.js';
import { UsageError } from './command-error.js';

const usage = `knowledge:replay --knowledge <folder> [--from <time>] [--to <time>] [--cluster <name> ...] [--remove <path> ...] [--json]
                 [--url <address>] [--token-file <file>]
Tries the files of a folder, laid over the knowledge of a running service, on the events that it has stored, and tells which
incidents would open, close, change their problem or lose their diagnosis. Nothing is written. Times are RFC 3339 with a zone and are
those of the first receipt; the last seven days by default. --remove takes away a file of the service by its path.
Exit status: 0 looked at all of it, 1 refused, 2 the command line is wrong, 3 the service cannot be reached, 4 only a part was looked at.
`;

const QUERY = `query ($knowledge: [KnowledgeFileInput!]!, $from: DateTime, $to: DateTime, $clusters: [String!]) {
  replay(knowledge: $knowledge, from: $from, to: $to, clusters: $clusters) {
    events complete seconds problemsAdded problemsRemoved
    changes { effect problem becomes incidents open events clusters { cluster incidents } samples { cluster kind namespace name message } }
  }
}`;

/** Characters of all files together: what one request may hold, with room for what JSON adds. */
const MOST_TEXT = 1_500_000;

interface Change {
  effect: string;
  problem: string | null;
  becomes: string | null;
  incidents: number;
  open: number;
  events: number;
  clusters: { cluster: string; incidents: number }[];
  samples: { cluster: string; kind: string; namespace: string; name: string; message: string }[];
}

interface Replay {
  events: number;
  complete: boolean;
  seconds: number;
  problemsAdded: string[];
  problemsRemoved: string[];
  changes: Change[];
}

try {
  const { values } = parseArgs({
    options: {
      knowledge: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      cluster: { type: 'string', multiple: true },
      remove: { type: 'string', multiple: true },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
      url: { type: 'string' },
      'token-file': { type: 'string' },
    },
  });
  if (values.help) process.stdout.write(usage);
  else {
    const files: { path: string; text: string | null }[] = values.knowledge === undefined ? [] : await readFolder(values.knowledge);
    for (const path of values.remove ?? []) files.push({ path, text: null });
    if (files.length === 0) throw new UsageError('expected --knowledge with a folder of knowledge files, or --remove');
    const client = loadClientConfig(clientOptions(values, (file) => readFileSync(file, 'utf8')));
    if (client.warning) process.stderr.write(`warning: ${client.warning}\n`);
    const variables = { knowledge: files, from: values.from, to: values.to, clusters: values.cluster };
    const { replay } = await askService<{ replay: Replay }>(client, QUERY, variables);
    process.stdout.write(values.json ? `${JSON.stringify(replay, undefined, 2)}\n` : show(replay));
    if (!replay.complete) {
      process.stderr.write('only a part of the range was looked at; narrow it down with --from, --to or --cluster\n');
      process.exitCode = 4;
    }
  }
} catch (error) {
  process.exitCode = tellCommandFailure('knowledge:replay', error);
}

async function readFolder(folder: string): Promise<{ path: string; text: string }[]> {
  const listed = await listKnowledgeFiles(folder);
  if (!listed) throw new UsageError(`--knowledge: ${folder} cannot be read`);
  const files = listed.map(({ path }) => ({ path, text: readFileSync(join(folder, path), 'utf8') }));
  const size = (list: typeof files): number => list.reduce((sum, { text }) => sum + text.length, 0);
  if (size(files) <= MOST_TEXT) return files;
  // A whole copy of the bundled knowledge: what is not edited need not be sent.
  const bundled = fileURLToPath(new URL('../../knowledge', import.meta.url));
  const edited = files.filter(({ path, text }) => readIfThere(join(bundled, path)) !== text);
  if (size(edited) <= MOST_TEXT) {
    process.stderr.write(`${files.length - edited.length} files are as they are bundled, and are not sent\n`);
    return edited;
  }
  throw new UsageError(`--knowledge: the files hold ${size(edited)} characters; at most ${MOST_TEXT} can be tried at once`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A new file has no bundled one.
    return undefined;
  }
}

function show({ events, seconds, problemsAdded, problemsRemoved, changes }: Replay): string {
  const lines = [`${events} events in ${seconds.toFixed(1)} s`];
  if (problemsAdded.length > 0) lines.push(`adds     ${problemsAdded.join(', ')}`);
  if (problemsRemoved.length > 0) lines.push(`removes  ${problemsRemoved.join(', ')}`);
  if (changes.length === 0) lines.push('no incident would change');
  for (const { effect, problem, becomes, incidents, open, events: own, clusters, samples } of changes) {
    const what = effect === 'CHANGES' ? `${problem} -> ${becomes}` : (problem ?? becomes);
    lines.push(`${effect.toLowerCase().padEnd(8)} ${what}: ${incidents} incidents (${open} open), ${own} events`);
    lines.push(`           ${clusters.map(({ cluster, incidents: count }) => `${cluster} ${count}`).join(', ')}`);
    for (const { cluster, kind, namespace, name, message } of samples)
      lines.push(
        `           ${cluster}: ${kind} ${namespace === '' ? '' : `${namespace}/`}${name}: ${message.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
      );
  }
  return `${lines.join('\n')}\n`;
}
