import { expect, it } from 'vitest';
import { readDuration } from './read-duration.js';

it.each([
  ['0', 0],
  ['90s', 90],
  ['30m', 1800],
  ['24h', 86_400],
  ['7d', 604_800],
  ['', undefined],
  ['5', undefined],
  ['-5m', undefined],
  ['1.5h', undefined],
  ['1w', undefined],
])('reads %j as %s seconds', (text, seconds) => expect(readDuration(text)).toBe(seconds));
