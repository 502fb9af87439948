import { describe, expect, it } from 'vitest';
import { refusalOf, RequestError } from './refusal.js';

const error = (fields: object, message = 'said'): Error => Object.assign(new Error(message), fields);

describe('refusalOf', () => {
  it('passes on what a door says itself', () => {
    expect(refusalOf(new RequestError('BAD_CURSOR', 'no'))).toEqual({ code: 'BAD_CURSOR', status: 400, message: 'no' });
  });

  it('translates codes of the domain', () => {
    expect(refusalOf(error({ code: 'NOT_JSON' }))).toEqual({ code: 'BAD_INPUT', status: 400, message: 'said' });
    expect(refusalOf(error({ code: 'CLUSTER_EXISTS' })).status).toBe(409);
    expect(refusalOf(error({ code: 'BUSY', retryAfterSeconds: 2 }))).toMatchObject({ code: 'BUSY', status: 503, retryAfter: 2 });
  });

  it('tells that an answer took too long from that none could be begun', () => {
    expect(refusalOf(error({ code: 'READ_TIMEOUT' }))).toEqual({ code: 'TIMEOUT', status: 504, message: 'said' });
    expect(refusalOf(error({ code: 'READS_BUSY' }))).toMatchObject({ code: 'BUSY', status: 503, retryAfter: 5 });
  });

  it('does not tell why the database does not answer', () => {
    const refusal = refusalOf(error({ code: 'DATABASE_UNAVAILABLE' }, 'connect ECONNREFUSED 10.0.0.1'));
    expect(refusal).toMatchObject({ code: 'BUSY', status: 503, retryAfter: 5 });
    expect(refusal.message).not.toContain('10.0.0.1');
  });

  it('passes on refusals of the HTTP server', () => {
    expect(refusalOf(error({ statusCode: 413 }))).toMatchObject({ code: 'TOO_LARGE', status: 413 });
    expect(refusalOf(error({ status: 404 }))).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(refusalOf(error({ statusCode: 414 }))).toMatchObject({ code: 'BAD_INPUT', status: 414 });
  });

  it.each([
    ['Cannot GET /v1/nothing?token=secret', 'Cannot GET /v1/nothing'],
    ["'/v1/%zz?token=secret&x=1' is not a valid url component", "'/v1/%zz' is not a valid url component"],
  ])('repeats nothing of a query string: %s', (said, message) => {
    expect(refusalOf(error({ status: 404 }, said)).message).toBe(message);
  });

  it.each([
    [error({ code: '42P01' }, 'SELECT secret')],
    [error({ statusCode: 500 }, 'secret')],
    ['secret'],
    [null],
    [undefined],
    [{ code: 'NOT_JSON' }],
  ])('tells nothing of %s', (thrown) => {
    const refusal = refusalOf(thrown);
    expect(refusal).toMatchObject({ code: 'INTERNAL', status: 500 });
    expect(refusal.message).not.toContain('secret');
  });
});
