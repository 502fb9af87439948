import fc from 'fast-check';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ReadResult } from '../../src/events/cluster-event.js';
import { readBody } from '../../src/events/read-body.js';
import { UnreadableBodyError } from '../../src/events/unreadable-body-error.js';
import { formatNames } from '../../src/events/wire-formats.js';
import { expectSound, storable } from '../support/expect-sound.js';

const now = Date.parse('2026-06-01T12:00:00Z');
const folder = new URL('fixtures/', import.meta.url);
const fixtures = readdirSync(folder).map((name) => readFileSync(new URL(name, folder)));

const piece = fc.oneof(
  fc.constantFrom(
    '"',
    '\\',
    '\n',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\0',
    '<24>1 ',
    '99999999 ',
    'null',
    '-1',
    '1e308',
    '"EventKind":',
    '\ufeff',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** A sender's body with some pieces of it replaced, cut out or put in twice. */
const damaged = fc
  .tuple(fc.constantFrom(...fixtures), fc.array(fc.tuple(fc.nat(), fc.nat(40), piece), { maxLength: 4 }))
  .map(([bytes, cuts]) => {
    let body = Buffer.from(bytes);
    for (const [at, length, put] of cuts) {
      const from = at % body.length;
      body = Buffer.concat([body.subarray(0, from), Buffer.from(put), body.subarray(from + length)]);
      if (body.length === 0) break;
    }
    return body;
  });

/** A sender's body in JSON with some of its values replaced by values of any kind. */
const twisted = fc
  .tuple(
    fc.constantFrom(...fixtures.map((bytes) => bytes.toString()).filter(isJson)),
    fc.array(
      fc.tuple(fc.nat(), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom({}, [], null, '', 'x'.repeat(70_000), -1, 2 ** 53))),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([text, changes]) => {
    const places = countValues(text);
    const by = new Map(changes.map(([at, value]) => [at % places, value]));
    let place = 0;
    return Buffer.from(JSON.stringify(JSON.parse(text, (_key, value: unknown) => (by.has(++place) ? by.get(place) : value))));
  });

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

function countValues(text: string): number {
  let places = 0;
  JSON.parse(text, (_key, value: unknown) => (places++, value));
  return places;
}

function read(bytes: Uint8Array, format?: string): ReadResult {
  try {
    return readBody(bytes, { now, ...(format !== undefined && { format }) });
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableBodyError);
    return { events: [], rejected: [] };
  }
}

function expectSoundResult({ events, rejected }: ReadResult): void {
  for (const { event } of events) expectSound(event, now);
  for (const { reason } of rejected) expect(reason.length > 0 && reason.length < 600 && storable(reason), reason).toBe(true);
}

describe('bodies of senders, damaged', () => {
  it.each([
    ['cut and spliced', damaged],
    ['with values of any kind', twisted],
  ])('are read or refused, and never crash a reader: %s', (_name, body) => {
    let events = 0;
    let rejected = 0;
    fc.assert(
      fc.property(body, fc.option(fc.constantFrom(...formatNames), { nil: undefined, freq: 3 }), (bytes, format) => {
        const result = read(bytes, format);
        expectSoundResult(result);
        expect(read(bytes, format)).toEqual(result);
        events += result.events.length;
        rejected += result.rejected.length;
      }),
      { seed: 20_261_121, numRuns: 3_000 },
    );
    // Guards the generator: had it drifted into one kind of input, the property would say little.
    expect(Math.min(events, rejected)).toBeGreaterThan(100);
  });
});
