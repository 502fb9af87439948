import { describe, expect, it } from 'vitest';
import { Clears } from '../knowledge/problem-file.js';
import { describeClears } from './describe-clears.js';

describe('describeClears', () => {
  it.each([
    [{ by: 'success-event', on: ['Pulled', 'Started'] }, 'event Pulled or Started of the same object'],
    [
      { by: 'paired', on: ['NodeReady'], settle: '60s', quiet: '1h' },
      'event NodeReady of the same object (60s or more after it was seen last), or 1h without it being seen',
    ],
    [
      { by: 'success-event', on: [{ type: 'Normal', message: 'is now: False', reporters: ['npd'] }] },
      'event Normal "is now: False" from npd of the same object',
    ],
    [
      { by: 'success-event', on: [{ type: 'Normal', reporters: ['a-controller', 'b-controller', '*c*'] }] },
      'event Normal from its controller of the same object',
    ],
    [{ by: 'quiet' }, '30m without it being seen'],
    [{ by: 'terminal' }, 'the object does not recover; put away 24h after it was seen last'],
    [{ by: 'object-gone' }, 'only the end of the object'],
    [{ by: 'alert-resolved' }, 'its alert is resolved'],
  ])('says %j', (clears, said) => {
    expect(describeClears(Clears.parse(clears))).toBe(said);
  });
});
