import { isCommandGroup, runCommand } from './group.command.js';

const USAGE = `casebook <command> [options]
  clusters   registers, changes and removes clusters of a running service: casebook clusters --help
  tokens     makes, lists and revokes the tokens of people and programs: casebook tokens --help

The service itself is started by npm start.
`;

const [group, ...words] = process.argv.slice(2);

try {
  if (isCommandGroup(group)) await runCommand(group, words);
  else if (group === undefined || group === '--help' || group === '-h' || group === 'help') {
    process.stdout.write(USAGE);
    if (group === undefined) process.exitCode = 2;
  } else {
    process.stderr.write(`casebook: there is no command ${JSON.stringify(group)}\n${USAGE}`);
    process.exitCode = 2;
  }
} catch (error) {
  const { exitCode, code, message, name, stack } = error as Error & { exitCode?: number; code?: string };
  const expected = exitCode ?? (name === 'ClientConfigError' ? 2 : undefined);
  const word = exitCode === 1 && code !== undefined ? ` (${code})` : '';
  process.stderr.write(`casebook: ${expected === undefined ? (stack ?? message) : `${message}${word}`}\n`);
  process.exitCode = expected ?? 70;
}
