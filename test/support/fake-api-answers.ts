import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiRoute } from './fake-api-resources.js';

/** What an API server says when it does not do what it was asked. */
export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string };
  status: 'Failure';
  message: string;
  reason: string;
  details?: Record<string, unknown>;
  code: number;
}

/** What is known of a failure; the server has a text for each code. */
export interface Failure {
  code: number;
  reason?: string;
  message?: string;
  details?: Record<string, unknown>;
  /** Page token to go on with. */
  token?: string;
  /** Seconds, sent as header too. */
  retryAfter?: number;
}

const KNOWN: Record<number, [reason: string, message: string]> = {
  400: ['BadRequest', 'the server rejected our request for an unknown reason'],
  401: ['Unauthorized', 'Unauthorized'],
  409: ['AlreadyExists', 'the object already exists'],
  410: ['Expired', 'The resourceVersion for the provided watch is too old.'],
  429: ['TooManyRequests', 'too many requests, please try again later'],
  500: ['InternalError', 'Internal error occurred: etcdserver: leader changed'],
  503: ['ServiceUnavailable', 'apiserver is shutting down'],
  504: ['Timeout', 'Timeout: request did not complete within the allotted timeout'],
};

/** Makes a Status object. */
export function statusOf({ code, reason, message, details, token, retryAfter }: Failure): Status {
  const [knownReason, knownMessage] = KNOWN[code] ?? ['Unknown', 'unknown'];
  const said = { ...details, ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }) };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: token === undefined ? {} : { continue: token },
    status: 'Failure',
    message: message ?? knownMessage,
    reason: reason ?? knownReason,
    ...(Object.keys(said).length > 0 && { details: said }),
    code,
  };
}

/** Answers with a Status object. */
export function sendFailure(response: ServerResponse, failure: Failure): void {
  if (failure.retryAfter !== undefined) response.setHeader('retry-after', String(failure.retryAfter));
  sendJson(response, failure.code, statusOf(failure));
}

/** Answers with JSON as an API server does. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
  response.end(`${JSON.stringify(body)}\n`);
}

/** The failure for a role that does not allow something. */
export function forbidden(user: string, verb: string, { plural, group, name, namespace }: ApiRoute): Failure {
  const what = `${plural}${name === undefined ? '' : ` "${name}"`}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const message = `${what} is forbidden: User "${user}" cannot ${verb} resource "${plural}" in API group "${group}" ${where}`;
  return { code: 403, reason: 'Forbidden', message, details: { kind: plural, ...(group && { group }), ...(name && { name }) } };
}

/** The failure for an object that does not exist. */
export function notFound({ plural, group, name }: ApiRoute): Failure {
  const resource = group === '' ? plural : `${plural}.${group}`;
  const details = { name, ...(group && { group }), kind: plural };
  return { code: 404, reason: 'NotFound', message: `${resource} "${name}" not found`, details };
}

/** The failure for a resource version that is higher than any, in the words of servers from 1.19 on. */
export function tooLarge(asked: number, current: number): Failure {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  return { code: 504, message: `Too large resource version: ${asked}, current: ${current}`, details: { causes, retryAfterSeconds: 1 } };
}

/** Reads a request's body as JSON. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}
