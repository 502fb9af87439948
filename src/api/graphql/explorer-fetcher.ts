/**
 * How the explorer asks, as JavaScript for browsers: a function of what is asked and the headers from its headers editor. Subscriptions go
 * over WebSocket, where browsers send no headers of a page, so that the token goes along in the first message.
 */
export const EXPLORER_FETCHER = String.raw`({ query, variables, operationName }, { headers = {}, documentAST } = {}) => {
  const url = new URL(location.pathname, location.href);
  const request = { query, variables: variables ?? undefined, operationName: operationName ?? undefined };
  const operations = (documentAST?.definitions ?? []).filter(({ kind }) => kind === 'OperationDefinition');
  const asked = operations.find(({ name }) => name?.value === request.operationName) ?? operations[0];
  if (asked?.operation !== 'subscription') {
    const sent = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    return fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(request) }).then((answer) => answer.json());
  }
  const waiting = [];
  let wake;
  let ended = false;
  const push = (result) => {
    waiting.push(result);
    wake?.();
  };
  const end = () => {
    ended = true;
    wake?.();
    socket.close();
  };
  const authorization = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  url.protocol = url.protocol.replace('http', 'ws');
  const socket = new WebSocket(url.href, 'graphql-transport-ws');
  const send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => send({ type: 'connection_init', payload: authorization === undefined ? {} : { authorization } });
  socket.onmessage = ({ data }) => {
    const { type, payload } = JSON.parse(data);
    if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: request });
    if (type === 'ping') send({ type: 'pong' });
    if (type === 'next') push(payload);
    if (type === 'error') push({ errors: payload });
    if (type === 'error' || type === 'complete') end();
  };
  socket.onclose = ({ code, reason }) => {
    if (!ended) push({ errors: [{ message: reason || 'The connection was closed (' + code + ').' }] });
    end();
  };
  socket.onerror = () => {};
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (waiting.length === 0 && !ended) await new Promise((resolve) => (wake = resolve));
      return waiting.length > 0 ? { value: waiting.shift(), done: false } : { value: undefined, done: true };
    },
    async return() {
      end();
      return { value: undefined, done: true };
    },
  };
}`;
