import ipaddr from 'ipaddr.js';
import { RequestError } from '../platform/refusal.js';
import type { WatchCredential } from '../store/watch-credential.js';
import { checkText } from './page.js';
import { readStoredKubeconfig } from './read-stored-kubeconfig.js';
import type { KubeconfigParts } from './read-stored-kubeconfig.js';

/** How a cluster is to be watched, as it came in: a kubeconfig, or a server with a token. */
export interface WantedWatch {
  kubeconfig?: string | null | undefined;
  context?: string | null | undefined;
  server?: string | null | undefined;
  certificateAuthority?: string | null | undefined;
  token?: string | null | undefined;
  allowInsecure?: boolean | null | undefined;
}

const PEM = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+-----END \1-----/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;
const TOKEN = /^[\x21-\x7e]{1,16384}$/;
const MAX_PEM = 100_000;

/** Checks how a cluster is to be watched. Throws RequestError BAD_INPUT that names what is wrong; it quotes no secret. */
export function checkWatchedCluster(wanted: WantedWatch): WatchCredential {
  const insecure = wanted.allowInsecure ?? false;
  const parts = partsOf(wanted);
  if (parts.skipVerification && !insecure) {
    throw refuse('kubeconfig: insecure-skip-tls-verify is only taken with "allowInsecure"');
  }
  const authority =
    parts.certificateAuthority === undefined ? null : toPem(parts.certificateAuthority, 'CERTIFICATE', 'the certificate authority');
  return {
    server: checkServer(parts.server, insecure),
    certificateAuthority: authority,
    serverName: parts.serverName === undefined ? null : checkText('tls-server-name', parts.serverName, 253),
    login: loginOf(parts),
    insecure: insecure && (parts.skipVerification || authority === null),
  };
}

function partsOf({ kubeconfig, context, server, certificateAuthority, token }: WantedWatch): KubeconfigParts {
  if (kubeconfig) {
    if (server || certificateAuthority || token) throw refuse('expected either "kubeconfig" or "server" with "token", not both');
    return readStoredKubeconfig(kubeconfig, context ?? undefined);
  }
  if (context) throw refuse('"context" is of a kubeconfig, and none was sent');
  if (!server || !token) throw refuse('expected "kubeconfig", or "server" with "token"');
  return {
    server,
    token,
    certificateAuthority: certificateAuthority ?? undefined,
    serverName: undefined,
    skipVerification: false,
    certificate: undefined,
    key: undefined,
  };
}

function loginOf({ token, certificate, key }: KubeconfigParts): WatchCredential['login'] {
  if (token !== undefined) {
    const trimmed = token.trim();
    if (!TOKEN.test(trimmed)) throw refuse('the token holds spaces or other characters that no token has, or is longer than 16384');
    return { token: trimmed };
  }
  if (certificate !== undefined && key !== undefined) {
    return { certificate: toPem(certificate, 'CERTIFICATE', 'the client certificate'), key: toPem(key, 'KEY', 'the client key') };
  }
  throw refuse('the user has neither a token nor a client certificate with its key');
}

/**
 * Private addresses are where API servers are, so they are taken; link-local ones are where clouds tell a machine its own secrets, and no
 * API server has one.
 */
function checkServer(server: string, insecure: boolean): string {
  if (!URL.canParse(server)) throw refuse('the server is no address such as https://10.0.0.1:6443');
  const url = new URL(server);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse('the server is no address such as https://10.0.0.1:6443');
  if (url.protocol === 'http:' && !insecure) throw refuse('the server is not https; plain http is only taken with "allowInsecure"');
  if (url.username || url.password || url.search || url.hash)
    throw refuse('the server has a user, a query or a fragment; expected host, port and path alone');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (ipaddr.isValid(host) && ['linkLocal', 'unspecified', 'multicast', 'broadcast'].includes(ipaddr.process(host).range())) {
    throw refuse(`the server's address ${host} is link-local, unspecified or multicast, which no API server is`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** A PEM text, as it is or as the base64 that kubeconfigs hold. */
function toPem(value: string, label: 'CERTIFICATE' | 'KEY', what: string): string {
  const plain = value.includes('-----BEGIN') ? value : BASE64.test(value) ? decode(value) : '';
  if (plain.length > MAX_PEM || !PEM.exec(plain)?.[1]?.endsWith(label)) throw refuse(`${what} is no PEM text, nor base64 of one`);
  return plain;
}

function decode(base64: string): string {
  try {
    return atob(base64);
  } catch (error) {
    // Not base64 after all: to the caller it is no PEM text.
    if (error instanceof Error && error.name === 'InvalidCharacterError') return '';
    throw error;
  }
}

function refuse(message: string): RequestError {
  return new RequestError('BAD_INPUT', message.endsWith('.') ? message : `${message[0]!.toUpperCase()}${message.slice(1)}.`);
}
