import { KubeConfig } from '@kubernetes/client-node';
import type { WatchCredential } from '../../store/watch-credential.js';

/** There is no way to a cluster's API server, whatever the server would say. */
export class WatchSourceError extends Error {
  readonly code = 'WATCH_SOURCE';
}

const SERVER = /^https?:\/\/[^/\s]/i;

/**
 * Reads a context out of the first of the files that has it, anew at every call: files are replaced, and tokens of exec plug-ins
 * are kept per KubeConfig. As with kubectl, a file that cannot be read does not matter while another has the context.
 *
 * @throws WatchSourceError that names files and context; it quotes nothing out of a file
 */
export function fromKubeconfig(files: readonly string[], context: string): KubeConfig {
  const seen: string[] = [];
  for (const file of files) {
    const config = new KubeConfig();
    try {
      config.loadFromFile(file);
    } catch (error) {
      seen.push(`${file} cannot be read (${reasonOf(error)})`);
      continue;
    }
    if (config.getContextObject(context)) {
      config.setCurrentContext(context);
      return checked(config, `The context ${JSON.stringify(context)} in ${file}`);
    }
    const names = config.getContexts().map(({ name }) => JSON.stringify(name));
    seen.push(`${file} has ${names.length === 0 ? 'none' : names.slice(0, 10).join(', ')}`);
  }
  throw new WatchSourceError(`There is no context ${JSON.stringify(context)}: ${seen.join('; ')}.`);
}

/**
 * The service account of the Pod that this process runs in; `folder` goes in front of where Kubernetes mounts it.
 *
 * @throws WatchSourceError when this is no Pod
 */
export function fromServiceAccount(folder = ''): KubeConfig {
  const config = new KubeConfig();
  config.loadFromCluster(folder);
  if (config.getCurrentCluster()?.server.includes('undefined') ?? true) {
    throw new WatchSourceError('This process does not run in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set.');
  }
  return config;
}

/** A stored credential. Nothing of it names a file or a program, so nothing of this host is read or run. */
export function fromCredential({ server, certificateAuthority, serverName, login, insecure }: WatchCredential): KubeConfig {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    {
      name: 'cluster',
      server,
      skipTLSVerify: insecure,
      ...(certificateAuthority !== null && { caData: base64(certificateAuthority) }),
      ...(serverName !== null && { tlsServerName: serverName }),
    },
    { name: 'user', ...('token' in login ? { token: login.token } : { certData: base64(login.certificate), keyData: base64(login.key) }) },
  );
  return config;
}

/** The words of a YAML error quote what is wrong, which may be a token: only its place is told. */
function reasonOf(error: unknown): string {
  const { code, name, mark, message } = error as Error & { code?: string; mark?: { line: number } };
  if (name === 'YAMLException') return `it is not YAML${mark ? `: see line ${mark.line + 1}` : ''}`;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES') return 'this process may not read it';
  if (code === 'EISDIR') return 'it is a folder';
  return message.endsWith(' is missing') ? message : 'it is not a kubeconfig';
}

function checked(config: KubeConfig, what: string): KubeConfig {
  const { cluster, user } = config.getContextObject(config.getCurrentContext())!;
  const server = config.getCurrentCluster()?.server;
  if (server === undefined)
    throw new WatchSourceError(`${what} names a cluster ${JSON.stringify(cluster)}, which is not in the same file.`);
  if (!SERVER.test(server)) throw new WatchSourceError(`${what}: the server is no address such as https://10.0.0.1:6443.`);
  if (!config.getCurrentUser()) throw new WatchSourceError(`${what} names a user ${JSON.stringify(user)}, who is not in the same file.`);
  return config;
}
