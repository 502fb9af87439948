import { describe, expect, it } from 'vitest';
import { decodeProto } from '../../test/support/otlp-proto.js';
import { otlpFailure, otlpSuccess } from './otlp-answer.js';

const rejected = Array.from({ length: 5 }, (_, index) => ({ index, reason: 'why' }));
const errorMessage = 'record 0: why; record 1: why; record 2: why; and 2 more';

describe('otlpSuccess', () => {
  it('is empty when all was taken', () => {
    expect(otlpSuccess([], false)).toEqual({ contentType: 'application/json', body: '{}' });
    const { contentType, body } = otlpSuccess([], true);
    expect([contentType, body.length]).toEqual(['application/x-protobuf', 0]);
  });

  it('says how many records were refused, and why the first were', () => {
    const told = { partialSuccess: { rejectedLogRecords: '5', errorMessage } };
    expect(JSON.parse(String(otlpSuccess(rejected, false).body))).toEqual(told);
    expect(decodeProto('ExportLogsServiceResponse', otlpSuccess(rejected, true).body as Uint8Array)).toEqual(told);
  });
});

describe('otlpFailure', () => {
  it('is a Status in the encoding of the request', () => {
    const status = { code: 3, message: 'The body is no logs.' };
    expect(JSON.parse(String(otlpFailure(3, status.message, false).body))).toEqual(status);
    expect(decodeProto('Status', otlpFailure(3, status.message, true).body as Uint8Array)).toEqual(status);
  });
});
