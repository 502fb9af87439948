import type { ClusterCommand, CommandContext } from './cluster-commands.js';
import { UsageError } from './command-error.js';
import { readDuration } from './read-duration.js';
import { table, time } from './show-cluster.js';

/** A token as the commands ask for it. */
interface ShownToken {
  id: string;
  name: string;
  role: string;
  clusters: string[] | null;
  namespaces: string[] | null;
  createdBy: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

const FIELDS = 'id name role clusters namespaces createdBy createdAt lastUsedAt expiresAt';
const PAGE = 200;

/** The commands under `casebook tokens`, by name. */
export const TOKEN_COMMANDS: Readonly<Record<string, ClusterCommand>> = {
  create: {
    args: ['name'],
    options: { role: '<viewer|operator|admin>', cluster: '<name>', namespace: '<name>', expires: '<duration|never>' },
    summary:
      'prints a new token, shown this once; --cluster and --namespace may be repeated and leave it all when absent; 90d unless said otherwise',
    run: async ({ args: [name], options, ask, now }) => {
      const role = String(options['role'] ?? 'viewer');
      if (!['viewer', 'operator', 'admin'].includes(role)) {
        throw new UsageError(`--role: expected viewer, operator or admin, got ${JSON.stringify(role)}`);
      }
      const input = {
        name,
        role: role.toUpperCase(),
        clusters: options['cluster'] ?? null,
        namespaces: options['namespace'] ?? null,
        expiresAt: expiryOf(String(options['expires'] ?? '90d'), now()),
      };
      const { made } = await ask<{ made: { token: string; issued: ShownToken } }>(
        `mutation ($input: CreateApiTokenInput!) { made: createApiToken(input: $input) { token issued { ${FIELDS} } } }`,
        { input },
      );
      const until = made.issued.expiresAt === null ? 'until it is revoked' : `until ${time(made.issued.expiresAt)}`;
      return {
        json: made,
        text: made.token,
        note: `Token ${made.issued.id} (${name}, ${role}) is shown this once, and is valid ${until}.`,
      };
    },
  },
  list: {
    args: [],
    options: {},
    summary: 'lists the tokens, the newest first',
    run: async ({ ask, now }) => {
      const tokens = await all(ask);
      return { json: tokens, text: showTokens(tokens, now()) };
    },
  },
  revoke: {
    args: ['id'],
    options: {},
    summary: 'revokes a token at once',
    run: async ({ args: [id], ask }) => {
      const { revoked } = await ask<{ revoked: ShownToken }>(`mutation ($id: ID!) { revoked: revokeApiToken(id: $id) { ${FIELDS} } }`, {
        id,
      });
      return { json: revoked, text: `${id} (${revoked.name}) is revoked; other processes of the service refuse it within 10 seconds.` };
    },
  },
};

async function all(ask: CommandContext['ask']): Promise<ShownToken[]> {
  const tokens: ShownToken[] = [];
  for (let after: string | null = null; ;) {
    const { apiTokens }: { apiTokens: { nodes: ShownToken[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } } } = await ask(
      `query ($after: String) { apiTokens(first: ${PAGE}, after: $after) { nodes { ${FIELDS} } pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    tokens.push(...apiTokens.nodes);
    if (!apiTokens.pageInfo.hasNextPage) return tokens;
    after = apiTokens.pageInfo.endCursor;
  }
}

function expiryOf(said: string, now: number): string | null {
  if (said === 'never') return null;
  const seconds = readDuration(said);
  if (!seconds) throw new UsageError(`--expires: expected never or a duration such as 12h or 90d, got ${JSON.stringify(said)}`);
  return new Date(now + seconds * 1000).toISOString();
}

function showTokens(tokens: readonly ShownToken[], now: number): string {
  if (tokens.length === 0) return 'There is none. Make one: casebook tokens create <name> --role viewer';
  return table(
    ['ID', 'NAME', 'ROLE', 'CLUSTERS', 'NAMESPACES', 'LAST USED', 'EXPIRES', 'CREATED BY'],
    tokens.map(({ id, name, role, clusters, namespaces, lastUsedAt, expiresAt, createdBy }) => {
      const expired = expiresAt !== null && Date.parse(expiresAt) <= now;
      const until = `${time(expiresAt, 'when revoked')}${expired ? ' (expired)' : ''}`;
      const names = (list: string[] | null): string => (list === null ? 'all' : list.join(','));
      return [id, name, role.toLowerCase(), names(clusters), names(namespaces), time(lastUsedAt, 'never', 'minute'), until, createdBy];
    }),
  );
}
