import type { ServerResponse } from 'node:http';
import { sendFailure, sendJson, tooLarge } from './fake-api-answers.js';
import type { ApiRoute } from './fake-api-resources.js';
import { keyOf } from './fake-api-store.js';
import type { ApiObject, FakeApiStore } from './fake-api-store.js';

/** What a page token holds: the state that the list is of, and the last object of the page. */
interface PageToken {
  /** -1 stands for the state of the moment, in the token that is offered in place of an expired one. */
  rv: number;
  after: string;
}

const EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use ' +
  'the continue token in this response to retrieve the remainder of the results.';

/** Answers a list, page by page of the state of one moment. */
export function answerList(
  store: FakeApiStore,
  { resource, namespace, kind, apiVersion }: ApiRoute,
  query: URLSearchParams,
  response: ServerResponse,
  view: (object: ApiObject) => ApiObject,
): void {
  const limit = Number(query.get('limit') ?? 0);
  const token = query.get('continue') ? readToken(query.get('continue')!) : undefined;
  const least = Number(query.get('resourceVersion') ?? 0);
  if (least > store.revision) return sendFailure(response, tooLarge(least, store.revision));
  if (token && token.rv >= 0 && token.rv < store.compacted) {
    return sendFailure(response, { code: 410, message: EXPIRED, token: writeToken({ rv: -1, after: token.after }) });
  }
  const revision = token && token.rv >= 0 ? token.rv : store.revision;
  const rest = store.list(resource, revision, namespace).filter((object) => !token || keyOf(object) > token.after);
  const page = limit > 0 ? rest.slice(0, limit) : rest;
  const more = rest.length > page.length;
  const metadata = {
    resourceVersion: String(revision),
    ...(more && { continue: writeToken({ rv: revision, after: keyOf(page.at(-1)!) }), remainingItemCount: rest.length - page.length }),
  };
  const items = page.map((object) => withoutType(view(object)));
  const partial = items[0]?.kind === 'PartialObjectMetadata';
  const type = partial ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' } : { kind: `${kind}List`, apiVersion };
  sendJson(response, 200, { ...type, metadata, items });
}

/** Items of a list carry no kind of their own, except for partial ones. */
function withoutType(object: ApiObject): ApiObject {
  if (object['kind'] === 'PartialObjectMetadata') return object;
  const { kind: _kind, apiVersion: _version, ...rest } = object;
  return rest as ApiObject;
}

function readToken(text: string): PageToken {
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as PageToken;
}

function writeToken(token: PageToken): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}
