import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadClientConfig } from '../config/client-config.loader.js';
import { askService } from './ask-service.service.js';
import { UsageError } from './command-error.js';
import { clientOptions, tellCommandFailure } from './client-options.service.js';

const usage = `knowledge:undiagnosed [--first <n>] [--cluster <name> ...] [--search <text>] [--json]
                      [--url <address>] [--token-file <file>]
Prints a problem file to fill in for each pattern of messages that no problem explains, the most frequent first.
--first is from 1 to 200, 20 by default. The service is asked at --url, else CASEBOOK_URL; the token is read from
--token-file ("-" is standard input), else CASEBOOK_TOKEN.
`;

const QUERY = `query ($first: Int!, $clusters: [String!], $search: String) {
  undiagnosed(first: $first, clusters: $clusters, search: $search) {
    id template kind reporter reason overflow occurrences events firstSeenAt lastSeenAt namespaces skeleton
    clusters { cluster occurrences } samples { cluster namespace name container type message at }
  }
}`;

interface Pattern {
  occurrences: number;
  events: number;
  firstSeenAt: string;
  lastSeenAt: string;
  skeleton: string | null;
  clusters: { cluster: string }[];
}

try {
  const { values } = parseArgs({
    options: {
      first: { type: 'string', default: '20' },
      cluster: { type: 'string', multiple: true },
      search: { type: 'string' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
      url: { type: 'string' },
      'token-file': { type: 'string' },
    },
  });
  if (values.help) process.stdout.write(usage);
  else {
    if (!/^\d{1,3}$/.test(values.first))
      throw new UsageError(`--first: expected a whole number from 1 to 200, got ${JSON.stringify(values.first)}`);
    const client = loadClientConfig(clientOptions(values, (file) => readFileSync(file, 'utf8')));
    if (client.warning) process.stderr.write(`warning: ${client.warning}\n`);
    const variables = { first: Number(values.first), clusters: values.cluster, search: values.search };
    const { undiagnosed } = await askService<{ undiagnosed: Pattern[] }>(client, QUERY, variables);
    process.stdout.write(values.json ? `${JSON.stringify(undiagnosed, undefined, 2)}\n` : undiagnosed.map(show).join('---\n'));
    if (undiagnosed.length === 0) process.stderr.write('everything that was sent has a diagnosis\n');
  }
} catch (error) {
  process.exitCode = tellCommandFailure('knowledge:undiagnosed', error);
}

function show({ occurrences, events, clusters, firstSeenAt, lastSeenAt, skeleton }: Pattern): string {
  const names = clusters.slice(0, 5).map(({ cluster }) => cluster);
  const more = clusters.length > names.length ? ', …' : '';
  const lines = [
    `# ${numbered(occurrences, 'happening')} of ${numbered(events, 'event')} in ${numbered(clusters.length, 'cluster')} (${names.join(', ')}${more})`,
    `# from ${firstSeenAt} to ${lastSeenAt}`,
    skeleton ?? '# Came after the last place for patterns was taken: counted together, no skeleton.\n',
  ];
  return lines.join('\n');
}

function numbered(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
