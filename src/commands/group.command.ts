import { readFileSync } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { loadClientConfig } from '../config/client-config.loader.js';
import { DEFAULT_URL } from '../config/client-config.js';
import type { ClientConfig } from '../config/client-config.js';
import { askService } from './ask-service.service.js';
import type { ClusterCommand, Options } from './cluster-commands.js';
import { CLUSTER_COMMANDS } from './cluster-commands.js';
import { UsageError } from './command-error.js';
import { TOKEN_COMMANDS } from './token-commands.js';

const COMMON = { url: '<address>', token: '<token>', 'token-file': '<file>', json: undefined, help: undefined };
/** Pause between two looks whether a removal is done, milliseconds. */
const PAUSE_MS = 500;

/** The groups of commands. */
const GROUPS = { clusters: CLUSTER_COMMANDS, tokens: TOKEN_COMMANDS };
/** A group of commands: the word after `casebook`. */
export type CommandGroup = keyof typeof GROUPS;
/** Options that may be given more than once. */
const REPEATED = ['label', 'cluster', 'namespace'];

/** True for the name of a group. */
export function isCommandGroup(word: string | undefined): word is CommandGroup {
  return word !== undefined && Object.hasOwn(GROUPS, word);
}

/** What `casebook <group> --help` prints. */
function usageOf(group: CommandGroup): string {
  const lines = Object.entries<ClusterCommand>(GROUPS[group]).map(
    ([name, command]) => `  ${callOf(name, command)}\n      ${command.summary}`,
  );
  return `casebook ${group} <command> [options]

${lines.join('\n')}

Options of every command
  --url <address>      where the service is; else CASEBOOK_URL, else ${DEFAULT_URL}
  --token-file <file>  file that holds an admin's token ("-" reads standard input); else CASEBOOK_TOKEN
  --token <token>      the token itself; others on this machine can see it in the list of processes
  --json               prints the answer as JSON
  --help               prints this

${group === 'clusters' ? 'A provider is kubernetes, tke, tke-serverless or ack. ' : ''}Exit status: 0 done, 1 the service refused, 2 the command line is wrong,
3 the service cannot be reached.
`;
}

/** Runs a command of a group with the words after the group's. Throws UsageError, ClientConfigError or AskError. */
export async function runCommand(group: CommandGroup, words: readonly string[]): Promise<void> {
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(usageOf(group));
    if (name === undefined) process.exitCode = 2;
    return;
  }
  const commands: Readonly<Record<string, ClusterCommand>> = GROUPS[group];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`there is no command ${JSON.stringify(name)}; casebook ${group} --help lists them`);
  const { options, args } = parse(`${group} ${callOf(name, command)}`, command, rest);
  if (options['help']) {
    process.stdout.write(`casebook ${group} ${callOf(name, command)}\n${command.summary}\n`);
    return;
  }
  if (args.length !== command.args.length) throw new UsageError(`expected: casebook ${group} ${callOf(name, command)}`);
  const client = clientOf(options);
  if (client.warning) process.stderr.write(`warning: ${client.warning}\n`);
  const { json, text, note } = await command.run({
    args,
    options,
    url: client.url,
    ask: (query, variables) => askService(client, query, variables),
    now: () => Date.now(),
    pause: () => later(PAUSE_MS),
  });
  if (options['json']) process.stdout.write(`${JSON.stringify(json, undefined, 2)}\n`);
  else {
    process.stdout.write(`${text}\n`);
    if (note !== undefined) process.stderr.write(`${note}\n`);
  }
}

function parse(call: string, command: ClusterCommand, words: string[]): { options: Options; args: string[] } {
  const known = { ...COMMON, ...command.options };
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries(known).map(([option, value]) => [
      option,
      {
        type: value === undefined ? 'boolean' : 'string',
        ...(REPEATED.includes(option) && { multiple: true }),
        ...(option === 'help' && { short: 'h' }),
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    return { options: values as Options, args: positionals };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UsageError(`${message.split('. ')[0]}; expected: casebook ${call}`);
  }
}

function callOf(name: string, { args, options }: ClusterCommand): string {
  const words = Object.entries(options).map(([option, value]) => `[--${option}${value === undefined ? '' : ` ${value}`}]`);
  return [name, ...args.map((arg) => `<${arg}>`), ...words].join(' ');
}

function clientOf(options: Options): ClientConfig {
  const file = options['token-file'] as string | undefined;
  if (file !== undefined && options['token'] !== undefined) throw new UsageError('--token and --token-file exclude each other');
  const token = file === undefined ? (options['token'] as string | undefined) : readToken(file);
  return loadClientConfig({ url: options['url'] as string | undefined, token });
}

function readToken(file: string): string {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--token-file: ${(error as Error).message}`);
  }
  if (text === '') throw new UsageError(`--token-file: ${file} is empty`);
  return text;
}
