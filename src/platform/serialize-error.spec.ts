import { describe, expect, it } from 'vitest';
import { serializeError } from './serialize-error.js';

describe('serializeError', () => {
  it('keeps what happened, and to what', () => {
    const error = Object.assign(new TypeError('new row violates check constraint'), {
      code: '23514',
      severity: 'ERROR',
      table: 'event',
      constraint: 'event_check',
    });
    expect(serializeError(error)).toEqual({
      type: 'TypeError',
      message: 'new row violates check constraint',
      stack: expect.stringContaining('serialize-error.spec'),
      code: '23514',
      severity: 'ERROR',
      table: 'event',
      constraint: 'event_check',
    });
  });

  it('drops the data that errors carry, those of its causes too', () => {
    const request = { headers: { 'x-api-key': 'hunter2' } };
    const cause = Object.assign(new Error('inner'), {
      detail: 'Failing row contains (hunter2)',
      where: 'JSON data: {"a": "hunter2"}',
      request,
    });
    const error = Object.assign(new AggregateError([cause], 'outer', { cause }), { body: 'hunter2', code: { odd: 'hunter2' } });
    const logged = serializeError(error);
    expect(logged).toMatchObject({ message: 'outer', cause: { message: 'inner' }, errors: [{ message: 'inner' }] });
    expect(JSON.stringify(logged)).not.toContain('hunter2');
  });

  it('ends where causes go round, and takes what is no error', () => {
    const round = new Error('round');
    round.cause = round;
    expect(JSON.stringify(serializeError(round)).match(/"message":"round"/g)).toHaveLength(5);
    expect(serializeError('a text')).toEqual({ type: 'string', message: 'a text' });
    expect(serializeError({ password: 'hunter2' })).toEqual({ type: 'object', message: 'no error was thrown' });
  });
});
