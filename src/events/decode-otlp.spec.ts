import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeProto } from '../../test/support/otlp-proto.js';
import { decodeOtlp } from './decode-otlp.js';
import { UnreadableBodyError } from './unreadable-body-error.js';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const nanoseconds = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
const { any } = fc.letrec<{ any: object; pair: object }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.record({ stringValue: text }),
    fc.record({ boolValue: fc.boolean() }),
    fc.record({ intValue: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String) }),
    fc.record({ doubleValue: fc.double({ noNaN: true }) }),
    fc.record({ arrayValue: fc.record({ values: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }) }),
    fc.record({ kvlistValue: fc.record({ values: fc.array(tie('pair'), { minLength: 1, maxLength: 3 }) }) }),
  ),
  pair: fc.record({ key: text, value: tie('any') }),
}));
const attributes = fc.array(fc.record({ key: text.filter((key) => key !== ''), value: any }), { minLength: 1, maxLength: 3 });
const record = fc.record(
  {
    timeUnixNano: nanoseconds,
    observedTimeUnixNano: nanoseconds,
    severityNumber: fc.integer({ min: 1, max: 24 }),
    severityText: text.filter((word) => word !== ''),
    eventName: text.filter((word) => word !== ''),
    body: any,
    attributes,
  },
  { requiredKeys: [] },
);
const request = fc.record({
  resourceLogs: fc.array(
    fc.record({
      resource: fc.record({ attributes }),
      scopeLogs: fc.array(fc.record({ logRecords: fc.array(record, { minLength: 1, maxLength: 3 }) }), { minLength: 1, maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 2 },
  ),
});

/** A message is written as if nothing were empty, so `{ key: '' }` and `{}` are the same on the wire. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'key' && each === '' ? undefined : each)));

describe('decodeOtlp', () => {
  it('reads what the reference implementation writes', () => {
    fc.assert(
      fc.property(request, (value) => {
        expect(plain(decodeOtlp(encodeProto('ExportLogsServiceRequest', value)))).toEqual(plain(value));
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it('skips fields that it does not know, and bytes', () => {
    const bytes = encodeProto('ExportLogsServiceRequest', {
      resourceLogs: [
        {
          resource: { droppedAttributesCount: 3 },
          schemaUrl: 'https://example.com',
          scopeLogs: [
            {
              scope: { name: 'receiver' },
              logRecords: [
                {
                  flags: 1,
                  traceId: Buffer.alloc(16, 1),
                  droppedAttributesCount: 2,
                  severityNumber: 9,
                  body: { bytesValue: Buffer.from('x') },
                },
              ],
            },
          ],
        },
      ],
    });
    expect(decodeOtlp(bytes)).toEqual({
      resourceLogs: [{ resource: {}, scopeLogs: [{ logRecords: [{ severityNumber: 9, body: { bytesValue: '' } }] }] }],
    });
  });

  it('reads no bytes as a request without logs', () => {
    expect(decodeOtlp(new Uint8Array())).toEqual({});
  });

  it('throws nothing but UnreadableBodyError, whatever it is given', () => {
    const whole = encodeProto('ExportLogsServiceRequest', {
      resourceLogs: [
        { scopeLogs: [{ logRecords: [{ body: { stringValue: 'x' }, attributes: [{ key: 'a', value: { intValue: '7' } }] }] }] },
      ],
    });
    let broken = 0;
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 3 });
    fc.assert(
      fc.property(damage, fc.nat(), (changes, length) => {
        const bytes = Uint8Array.from(whole.subarray(0, changes.length > 0 ? whole.length : length % whole.length));
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        try {
          decodeOtlp(bytes);
        } catch (error) {
          broken++;
          expect(error).toBeInstanceOf(UnreadableBodyError);
        }
      }),
      { seed: 12, numRuns: 5_000 },
    );
    expect(broken).toBeGreaterThan(500);
  });

  it('says where bytes are wrong', () => {
    expect(() => decodeOtlp(Uint8Array.of(0x0a, 0x05, 0x01))).toThrow(
      /^The body is not an OTLP ExportLogsServiceRequest in protobuf: at byte 2 of 3: .+\.$/,
    );
  });

  it('goes only so deep', () => {
    let value: object = { stringValue: 'x' };
    for (let depth = 0; depth < 45; depth++) value = { arrayValue: { values: [value] } };
    const bytes = (body: object): Uint8Array =>
      encodeProto('ExportLogsServiceRequest', { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body }] }] }] });
    expect(decodeOtlp(bytes(value))).toHaveProperty('resourceLogs');
    // By hand, because the reference implementation refuses to write it.
    let inner: number[] = [];
    for (let depth = 0; depth < 60; depth++) inner = field(0x2a, field(0x0a, inner));
    expect(() => decodeOtlp(Uint8Array.from(field(0x0a, field(0x12, field(0x12, field(0x2a, inner))))))).toThrow(
      'messages nest deeper than 100',
    );
  });

  it('holds only so many messages', () => {
    const empty = new Uint8Array(2 * 4_000_001);
    for (let at = 0; at < empty.length; at += 2) empty[at] = 0x0a;
    expect(() => decodeOtlp(empty)).toThrow('the body holds more than 4000000 messages');
  });
});

/** A field of a tag and bytes. */
function field(tag: number, bytes: number[]): number[] {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return [tag, ...length, ...bytes];
}
