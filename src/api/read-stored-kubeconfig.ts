import { parseDocument } from 'yaml';
import { z } from 'zod';
import { RequestError } from '../platform/refusal.js';

/** What of a kubeconfig leads to one server, still as it was written: certificates and keys as base64. */
export interface KubeconfigParts {
  server: string;
  certificateAuthority: string | undefined;
  serverName: string | undefined;
  skipVerification: boolean;
  token: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
}

const MAX_LENGTH = 262_144;
const text = z.string().min(1).max(100_000);
const fields = z.record(z.string(), z.unknown()).nullish();
const named = <T extends z.ZodType>(name: string, value: T) => z.array(z.object({ name: z.string(), [name]: value })).nullish();
const Kubeconfig = z.object({
  'current-context': z.string().nullish(),
  contexts: named('context', z.object({ cluster: z.string(), user: z.string() })),
  clusters: named('cluster', fields),
  users: named('user', fields),
});

/** What a stored kubeconfig must not hold, and why. */
const REFUSED: Record<'clusters' | 'users', Record<string, string>> = {
  clusters: {
    'certificate-authority': 'it names a file; put the certificate itself into certificate-authority-data',
    'proxy-url': 'requests go to the server directly',
  },
  users: {
    exec: 'it would run a program on the host of Casebook; use a token or a client certificate',
    'auth-provider': 'it would run a program or read files on the host of Casebook; use a token or a client certificate',
    tokenFile: 'it names a file; put the token itself into token',
    'token-file': 'it names a file; put the token itself into token',
    'client-certificate': 'it names a file; put the certificate itself into client-certificate-data',
    'client-key': 'it names a file; put the key itself into client-key-data',
    username: 'API servers do not take passwords any more; use a token or a client certificate',
    password: 'API servers do not take passwords any more; use a token or a client certificate',
    as: 'the watch is its own user; give the rights to the user itself',
    'as-groups': 'the watch is its own user; give the rights to the user itself',
    'as-uid': 'the watch is its own user; give the rights to the user itself',
    'as-user-extra': 'the watch is its own user; give the rights to the user itself',
  },
};

/**
 * Reads one context out of the text of a kubeconfig, the current one unless another is named, and refuses what would read a file or run a
 * program here. Throws RequestError BAD_INPUT that names the place; it quotes nothing but names.
 */
export function readStoredKubeconfig(kubeconfig: string, wanted: string | undefined): KubeconfigParts {
  if (kubeconfig.length > MAX_LENGTH) throw refuse(`expected at most ${MAX_LENGTH} characters, got ${kubeconfig.length}`);
  const config = Kubeconfig.safeParse(parse(kubeconfig));
  if (!config.success) {
    const path = config.error.issues[0]!.path.map(String).join('.');
    throw refuse(`expected a kubeconfig with clusters, users and contexts${path === '' ? '' : `; ${path} is not as it should be`}`);
  }
  const { 'current-context': current, contexts, clusters, users } = config.data;
  const name = wanted ?? (current || undefined);
  if (name === undefined) throw refuse('there is no current-context; say which one with "context"');
  const context = find(contexts, name, 'context') as { cluster: string; user: string };
  const cluster = find(clusters, context.cluster, 'cluster') as Record<string, unknown> | null | undefined;
  const user = find(users, context.user, 'user') as Record<string, unknown> | null | undefined;
  return {
    server:
      take(cluster, `the cluster ${show(context.cluster)}`, 'server', REFUSED.clusters) ??
      fail(`the cluster ${show(context.cluster)} has no server`),
    certificateAuthority: take(cluster, `the cluster ${show(context.cluster)}`, 'certificate-authority-data'),
    serverName: take(cluster, `the cluster ${show(context.cluster)}`, 'tls-server-name'),
    skipVerification: cluster?.['insecure-skip-tls-verify'] === true,
    token: take(user, `the user ${show(context.user)}`, 'token', REFUSED.users),
    certificate: take(user, `the user ${show(context.user)}`, 'client-certificate-data'),
    key: take(user, `the user ${show(context.user)}`, 'client-key-data'),
  };
}

/** The words of the parser quote the text, which holds secrets: only the place is told. */
function parse(kubeconfig: string): unknown {
  const document = parseDocument(kubeconfig, { prettyErrors: true });
  const [error] = document.errors;
  if (error) throw refuse(`it is not YAML${error.linePos ? `: see line ${error.linePos[0].line}` : ''}`);
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    // Nests of aliases that would fill the memory.
    if (cause instanceof ReferenceError) throw refuse('its aliases refer to too much');
    throw cause;
  }
}

function find(list: readonly Record<string, unknown>[] | null | undefined, name: string, what: string): unknown {
  const entry = list?.find((each) => each['name'] === name);
  if (entry) return entry[what];
  const names = list?.slice(0, 10).map((each) => show(String(each['name']))) ?? [];
  return fail(`there is no ${what} ${show(name)}; there ${names.length === 0 ? 'are none' : `are ${names.join(', ')}`}`);
}

function take(
  from: Record<string, unknown> | null | undefined,
  whose: string,
  field: string,
  refused: Record<string, string> = {},
): string | undefined {
  for (const [name, why] of Object.entries(refused)) {
    if (from?.[name] !== undefined && from[name] !== null) throw refuse(`${whose} has "${name}", which is not taken: ${why}`);
  }
  const value = from?.[field];
  if (value === undefined || value === null || value === '') return undefined;
  return text.safeParse(value).data ?? fail(`${field} of ${whose} is no text`);
}

function show(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}

function fail(message: string): never {
  throw refuse(message);
}

function refuse(message: string): RequestError {
  return new RequestError('BAD_INPUT', `kubeconfig: ${message}.`);
}
