import { describe, expect, it } from 'vitest';
import { checkWatchedCluster } from './check-watched-cluster.js';
import type { WantedWatch } from './check-watched-cluster.js';

const SECRET = 'eyJ-a-token-that-must-not-be-told';
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN EC PRIVATE KEY-----\nMHcC\n-----END EC PRIVATE KEY-----\n';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

interface Parts {
  cluster?: object | null;
  user?: object | null;
  rest?: object;
}

/** A kubeconfig as JSON, which is YAML too. */
function kubeconfig({ cluster = {}, user = { token: SECRET }, rest = {} }: Parts = {}): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [
      { name: 'here', context: { cluster: 'c', user: 'u', namespace: 'x' } },
      { name: 'there', context: { cluster: 'd', user: 'u' } },
    ],
    clusters: [
      { name: 'c', cluster: cluster && { server: 'https://10.0.0.1:6443/', 'certificate-authority-data': base64(PEM), ...cluster } },
      { name: 'd', cluster: { server: 'https://other.example/k8s/clusters/c-1' } },
    ],
    users: [{ name: 'u', user }],
    ...rest,
  });
}

function refusalOf(wanted: WantedWatch): string {
  try {
    checkWatchedCluster(wanted);
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_INPUT' });
    expect((error as Error).message).not.toContain(SECRET);
    return (error as Error).message;
  }
  return 'taken';
}

describe('checkWatchedCluster', () => {
  it('takes what it needs out of a kubeconfig, and nothing else', () => {
    expect(checkWatchedCluster({ kubeconfig: kubeconfig({ cluster: { 'tls-server-name': 'api.example', extensions: [] } }) })).toEqual({
      server: 'https://10.0.0.1:6443',
      certificateAuthority: PEM,
      serverName: 'api.example',
      login: { token: SECRET },
      insecure: false,
    });
    const user = { 'client-certificate-data': base64(PEM), 'client-key-data': base64(KEY) };
    expect(checkWatchedCluster({ kubeconfig: kubeconfig({ user }), context: 'there' })).toEqual({
      server: 'https://other.example/k8s/clusters/c-1',
      certificateAuthority: null,
      serverName: null,
      login: { certificate: PEM, key: KEY },
      insecure: false,
    });
  });

  it('takes a server with a token, in private networks too', () => {
    for (const server of [
      'https://192.168.1.1:6443',
      'https://[fd00::1]:6443',
      'https://127.0.0.1:6443',
      'https://kubernetes.default.svc',
    ]) {
      expect(checkWatchedCluster({ server, token: ` ${SECRET}\n`, certificateAuthority: PEM })).toMatchObject({
        server,
        login: { token: SECRET },
      });
    }
  });

  it('skips the check of the certificate only when it is asked to, and then not in vain', () => {
    const insecure = kubeconfig({ cluster: { 'insecure-skip-tls-verify': true } });
    expect(refusalOf({ kubeconfig: insecure })).toBe('Kubeconfig: insecure-skip-tls-verify is only taken with "allowInsecure".');
    expect(checkWatchedCluster({ kubeconfig: insecure, allowInsecure: true }).insecure).toBe(true);
    expect(checkWatchedCluster({ server: 'http://a', token: 't', allowInsecure: true })).toMatchObject({
      server: 'http://a',
      insecure: true,
    });
    expect(checkWatchedCluster({ server: 'https://a', token: 't', certificateAuthority: PEM, allowInsecure: true }).insecure).toBe(false);
  });

  it.each([
    [
      'exec',
      { user: { exec: { command: '/bin/sh' }, token: SECRET } },
      /user "u" has "exec", which is not taken: it would run a program on the host/,
    ],
    ['auth-provider', { user: { 'auth-provider': { name: 'gcp' } } }, /has "auth-provider", which is not taken: it would run a program/],
    ['tokenFile', { user: { tokenFile: '/etc/shadow' } }, /has "tokenFile", which is not taken: it names a file/],
    [
      'a certificate file',
      { user: { 'client-certificate': '/a', 'client-key-data': 'x' } },
      /has "client-certificate", which is not taken/,
    ],
    ['a key file', { user: { 'client-key': '/a' } }, /has "client-key", which is not taken/],
    [
      'an authority file',
      { cluster: { 'certificate-authority': '/etc/passwd' } },
      /cluster "c" has "certificate-authority", which is not taken: it names a file/,
    ],
    ['a proxy', { cluster: { 'proxy-url': 'http://evil' } }, /has "proxy-url", which is not taken/],
    ['a password', { user: { username: 'admin', password: SECRET } }, /has "username", which is not taken/],
    ['impersonation', { user: { token: SECRET, as: 'root' } }, /has "as", which is not taken/],
    ['no credential', { user: {} }, /neither a token nor a client certificate/],
    ['no user', { user: null }, /neither a token nor a client certificate/],
    ['half a certificate', { user: { 'client-certificate-data': base64(PEM) } }, /neither a token nor a client certificate/],
    ['a token that is none', { user: { token: `${SECRET} and more` } }, /the token holds spaces/i],
    ['a certificate that is none', { cluster: { 'certificate-authority-data': SECRET } }, /certificate authority is no PEM text/],
    ['no server', { cluster: { server: null } }, /the cluster "c" has no server/],
    ['no cluster', { cluster: null }, /the cluster "c" has no server/],
    ['a server that is a number', { cluster: { server: 5 } }, /server of the cluster "c" is no text/],
    ['no contexts', { rest: { contexts: null } }, /there is no context "here"; there are none/],
    ['no current context', { rest: { 'current-context': '' } }, /there is no current-context; say which one with "context"/],
    [
      'a list for a config',
      { rest: { clusters: { c: 1 } } },
      /expected a kubeconfig with clusters, users and contexts; clusters is not as it should be/,
    ],
  ] satisfies [string, Parts, RegExp][])('refuses a kubeconfig with %s', (_what, parts, expected) => {
    expect(refusalOf({ kubeconfig: kubeconfig(parts) })).toMatch(expected);
  });

  it.each([
    ['an unknown context', { kubeconfig: kubeconfig(), context: 'nowhere' }, /there is no context "nowhere"; there are "here", "there"/],
    ['text that is no YAML', { kubeconfig: `users:\n  - token: "${SECRET}\n` }, /it is not YAML: see line \d/],
    ['a plain text', { kubeconfig: SECRET }, /expected a kubeconfig with clusters/],
    ['too much text', { kubeconfig: 'x'.repeat(300_000) }, /at most 262144 characters, got 300000/],
    ['a bomb of aliases', { kubeconfig: bomb() }, /its aliases refer to too much/],
    [
      'both ways at once',
      { kubeconfig: kubeconfig(), server: 'https://a' },
      /expected either "kubeconfig" or "server" with "token", not both/i,
    ],
    ['nothing', {}, /expected "kubeconfig", or "server" with "token"/i],
    ['a server alone', { server: 'https://a' }, /expected "kubeconfig", or "server" with "token"/i],
    ['a context without a kubeconfig', { server: 'https://a', token: 't', context: 'x' }, /"context" is of a kubeconfig/],
    ['plain http', { server: 'http://10.0.0.1', token: 't' }, /the server is not https/i],
    ['another protocol', { server: 'file:///etc/passwd', token: 't' }, /the server is no address such as/i],
    ['no address', { server: '10.0.0.1:6443', token: 't' }, /the server is no address such as/i],
    ['a password in the address', { server: `https://a:${SECRET}@b`, token: 't' }, /the server has a user/i],
    ['the metadata of a cloud', { server: 'https://169.254.169.254', token: 't' }, /169.254.169.254 is link-local/],
    ['the same, as a number', { server: 'https://0xa9fea9fe', token: 't' }, /169.254.169.254 is link-local/],
    ['the same, as IPv6', { server: 'https://[::ffff:169.254.169.254]', token: 't' }, /is link-local/],
  ] satisfies [string, WantedWatch, RegExp][])('refuses %s', (_what, wanted, expected) => {
    expect(refusalOf(wanted)).toMatch(expected);
  });
});

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 9; i++) lines.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(', ')}]`);
  return lines.join('\n');
}
