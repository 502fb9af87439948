import { describe, expect, it } from 'vitest';
import { eventExporterFormat } from './event-exporter-format.js';

const layout = { kind: 'Pod', name: 'web-0', reason: 'Failed', message: 'm' };

describe('eventExporterFormat', () => {
  it.each([layout, { name: 'web-0', message: 'm' }, { region: 'eu', details: layout }, { labels: {}, event: layout }])(
    'knows the layout %j',
    (value) => {
      expect(eventExporterFormat.recognises(value, {})).toBe(true);
    },
  );

  it.each([
    { message: 'only a text' },
    { reason: 'Failed', message: 'm' },
    { kind: 'Pod', name: 'web-0' },
    { kind: 'Status', reason: 'NotFound', message: 'm' },
    { ...layout, apiVersion: 'v1' },
    { ...layout, metadata: {} },
    { ...layout, involvedObject: { kind: 'Pod' } },
    { details: { ...layout, involvedObject: {} } },
    { a: { b: layout } },
  ])('leaves %j to others', (value) => {
    expect(eventExporterFormat.recognises(value, {})).toBe(false);
  });
});
