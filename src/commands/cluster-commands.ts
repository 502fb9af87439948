import { UsageError } from './command-error.js';
import { readDuration } from './read-duration.js';
import type { ShownCluster, ShownCredential } from './show-cluster.js';
import { CLUSTER_FIELDS, showCluster, showClusters, showCredentials } from './show-cluster.js';

/** Values of the options of one call, as they were typed. */
export type Options = Readonly<Record<string, string | boolean | string[] | undefined>>;

/** What a command works with. */
export interface CommandContext {
  /** Names and numbers after the command. */
  args: readonly string[];
  options: Options;
  /** Asks the service. */
  ask: <T>(query: string, variables?: object) => Promise<T>;
  /** Address of the service. */
  url: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Resolves a little later. */
  pause: () => Promise<void>;
}

/** What a command answers. */
export interface CommandAnswer {
  /** Printed with --json. */
  json: unknown;
  /** Printed without. */
  text: string;
  /** Printed beside it for a person, on standard error, so that the text can be piped. */
  note?: string;
}

/** One command under `casebook clusters`. */
export interface ClusterCommand {
  /** Names of its arguments; each is needed. */
  args: readonly string[];
  /** Its own options, with what to type behind them; undefined for a switch. */
  options: Readonly<Record<string, string | undefined>>;
  summary: string;
  run: (context: CommandContext) => Promise<CommandAnswer>;
}

const CREDENTIAL = 'id createdAt expiresAt';
const SETTINGS = { provider: '<provider>', region: '<region>', label: '<name=value>' };
const GRACE = { grace: '<duration>' };

/** The commands under `casebook clusters`, by name. */
export const CLUSTER_COMMANDS: Readonly<Record<string, ClusterCommand>> = {
  add: {
    args: ['name'],
    options: SETTINGS,
    summary: 'registers a cluster; prints its token, which is shown this once',
    run: async ({ args: [name], options, ask, url }) => {
      const query = `mutation ($input: RegisterClusterInput!) { registerCluster(input: $input) { token cluster { ${CLUSTER_FIELDS} } } }`;
      const { registerCluster: made } = await ask<{ registerCluster: { token: string; cluster: ShownCluster } }>(query, {
        input: { name, ...settingsOf(options) },
      });
      const note = `${name} is registered. Its token is shown this once. Its events go to ${url}/v1/clusters/${name}/events`;
      return { json: made, text: made.token, note };
    },
  },
  list: {
    args: [],
    options: {},
    summary: 'lists the clusters by name',
    run: async ({ ask }) => {
      const { clusters } = await ask<{ clusters: ShownCluster[] }>(`{ clusters { ${CLUSTER_FIELDS} } }`);
      return { json: clusters, text: showClusters(clusters) };
    },
  },
  show: {
    args: ['name'],
    options: {},
    summary: 'shows a cluster',
    run: async (context) => {
      const cluster = await named<ShownCluster>(context, CLUSTER_FIELDS);
      return { json: cluster, text: showCluster(cluster) };
    },
  },
  update: {
    args: ['name'],
    options: { ...SETTINGS, 'events-per-second': '<number|default>', 'max-body-bytes': '<number|default>' },
    summary: 'changes what is given; --label replaces all labels',
    run: (context) => {
      const { options } = context;
      const input = {
        ...settingsOf(options),
        ...limitOf(options, 'events-per-second', 'eventsPerSecond'),
        ...limitOf(options, 'max-body-bytes', 'maxBodyBytes'),
      };
      return change(context, 'updateCluster(name: $name, input: $input)', '$name: String!, $input: UpdateClusterInput!', { input });
    },
  },
  rotate: {
    args: ['name'],
    options: GRACE,
    summary: 'prints a new token; older ones stay valid for the grace (24h unless said otherwise, at most 30d)',
    run: (context) => rotate(context, 'rotateClusterToken', 'token'),
  },
  tokens: {
    args: ['name'],
    options: {},
    summary: 'lists the tokens of a cluster: id, created, last used, expires',
    run: async (context) => {
      const { tokens } = await named<{ tokens: ShownCredential[] }>(context, `tokens { ${CREDENTIAL} lastUsedAt }`);
      return { json: tokens, text: showCredentials(tokens, context.now()) };
    },
  },
  revoke: {
    args: ['name', 'id'],
    options: {},
    summary: 'revokes a token at once',
    run: (context) => revoke(context, 'revokeClusterToken'),
  },
  'rotate-secret': {
    args: ['name'],
    options: GRACE,
    summary: 'prints a new signing secret; older ones stay valid for the grace',
    run: (context) => rotate(context, 'rotateSigningSecret', 'secret'),
  },
  secrets: {
    args: ['name'],
    options: {},
    summary: 'lists the signing secrets of a cluster',
    run: async (context) => {
      const { signingSecrets } = await named<{ signingSecrets: ShownCredential[] }>(context, `signingSecrets { ${CREDENTIAL} }`);
      return { json: signingSecrets, text: showCredentials(signingSecrets, context.now()) };
    },
  },
  'revoke-secret': {
    args: ['name', 'id'],
    options: {},
    summary: 'revokes a signing secret at once',
    run: (context) => revoke(context, 'revokeSigningSecret'),
  },
  'require-signatures': {
    args: ['name', 'on|off'],
    options: {},
    summary: 'refuses what is not signed, or not',
    run: (context) => {
      const said = context.args[1];
      if (said !== 'on' && said !== 'off') throw new UsageError(`expected on or off, got ${JSON.stringify(said)}`);
      return change(context, 'requireSignatures(name: $name, required: $required)', '$name: String!, $required: Boolean!', {
        required: said === 'on',
      });
    },
  },
  suspend: {
    args: ['name'],
    options: { reason: '<text>' },
    summary: 'refuses the events of a cluster with 403 until it is resumed',
    run: (context) =>
      change(context, 'suspendCluster(name: $name, reason: $reason)', '$name: String!, $reason: String', {
        reason: context.options['reason'],
      }),
  },
  resume: {
    args: ['name'],
    options: {},
    summary: 'takes the events of a suspended cluster again',
    run: (context) => change(context, 'resumeCluster(name: $name)', '$name: String!', {}),
  },
  remove: {
    args: ['name'],
    options: { confirm: '<name>', wait: undefined },
    summary: 'removes a cluster with all its data, for good; --confirm repeats its name, --wait until it is gone',
    run: remove,
  },
};

async function named<T>({ args: [name], ask }: CommandContext, fields: string): Promise<T> {
  const { cluster } = await ask<{ cluster: T | null }>(`query ($name: String!) { cluster(name: $name) { ${fields} } }`, { name });
  // In the words in which the service refuses a change of such a cluster.
  if (cluster === null)
    throw Object.assign(new Error(`no cluster named ${JSON.stringify(name)} is registered`), { exitCode: 1, code: 'NOT_FOUND' });
  return cluster;
}

async function change({ args: [name], ask }: CommandContext, call: string, declared: string, variables: object): Promise<CommandAnswer> {
  const { changed } = await ask<{ changed: ShownCluster }>(`mutation (${declared}) { changed: ${call} { ${CLUSTER_FIELDS} } }`, {
    name,
    ...variables,
  });
  return { json: changed, text: showCluster(changed) };
}

async function rotate({ args: [name], options, ask }: CommandContext, call: string, what: 'token' | 'secret'): Promise<CommandAnswer> {
  const said = String(options['grace'] ?? '24h');
  const graceSeconds = readDuration(said);
  if (graceSeconds === undefined)
    throw new UsageError(`--grace: expected 0 or a duration such as 30m, 24h or 7d, got ${JSON.stringify(said)}`);
  const query = `mutation ($name: String!, $graceSeconds: Int!) {
    made: ${call}(name: $name, graceSeconds: $graceSeconds) { plain: ${what} issued { ${CREDENTIAL} } }
  }`;
  const { made } = await ask<{ made: { plain: string; issued: ShownCredential } }>(query, { name, graceSeconds });
  const note = `This ${what} of ${name} is shown this once. Older ones stay valid for ${said} at most, or until they are revoked.`;
  return { json: { [what]: made.plain, issued: made.issued }, text: made.plain, note };
}

async function revoke({ args: [name, id], ask }: CommandContext, call: string): Promise<CommandAnswer> {
  await ask(`mutation ($name: String!, $id: ID!) { ${call}(name: $name, id: $id) { name } }`, { name, id });
  return { json: { revoked: id }, text: `${id} is revoked; other processes of the service refuse it within 10 seconds.` };
}

async function remove({ args: [name], options, ask, pause }: CommandContext): Promise<CommandAnswer> {
  if (options['confirm'] !== name) {
    throw new UsageError(`the whole history of the cluster goes with it: repeat its name, --confirm ${name}`);
  }
  await ask('mutation ($name: String!, $confirm: String!) { removeCluster(name: $name, confirm: $confirm) { state } }', {
    name,
    confirm: name,
  });
  if (!options['wait']) return { json: { name, state: 'REMOVING' }, text: `${name} is being removed in the background.` };
  const look = (): Promise<{ cluster: { state: string } | null }> =>
    ask('query ($name: String!) { cluster(name: $name) { state } }', { name });
  // One of another state is a new cluster of that name.
  while ((await look()).cluster?.state === 'REMOVING') await pause();
  return { json: { name, state: null }, text: `${name} is gone.` };
}

function settingsOf(options: Options): object {
  const provider = options['provider'] as string | undefined;
  const labels = options['label'] as string[] | undefined;
  return {
    ...(provider !== undefined && { provider: provider.toUpperCase().replaceAll('-', '_') }),
    ...(options['region'] !== undefined && { region: options['region'] }),
    ...(labels && { labels: Object.fromEntries(labels.map(labelOf)) }),
  };
}

function labelOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`--label: expected name=value, got ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function limitOf(options: Options, option: string, field: string): object {
  const said = options[option] as string | undefined;
  if (said === undefined) return {};
  if (said === 'default') return { [field]: null };
  if (!/^\d{1,10}$/.test(said)) throw new UsageError(`--${option}: expected a whole number or default, got ${JSON.stringify(said)}`);
  return { [field]: Number(said) };
}
