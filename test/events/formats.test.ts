import { describe, expect, it } from 'vitest';
import { openApi } from '../../src/api/rest/openapi.js';
import { formatNames } from '../../src/events/wire-formats.js';

describe('the names of formats', () => {
  it('are documented in the REST contract', () => {
    const { parameters } = openApi.paths['/v1/clusters/{cluster}/events'].post;
    const format = parameters.find(({ name }) => name === 'format');
    expect(format).toMatchObject({ schema: { enum: formatNames } });
  });

  it('are all different', () => {
    expect(new Set(formatNames).size).toBe(formatNames.length);
  });
});
