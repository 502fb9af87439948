import { describe, expect, it } from 'vitest';
import { readDescribedEvent } from './read-described-event.js';

describe('readDescribedEvent', () => {
  it('takes a bare message with the fields beside it', () => {
    expect(readDescribedEvent('no space left', { kind: 'Pod', reporter: 'kubelet' })).toEqual({
      reason: '',
      type: '',
      reporter: 'kubelet',
      message: 'no space left',
      object: { kind: 'Pod' },
    });
    expect(readDescribedEvent('{not json').message).toBe('{not json');
  });

  it('takes events of both APIs and examples', () => {
    const core = {
      kind: 'Event',
      apiVersion: 'v1',
      reason: 'Failed',
      type: 'Warning',
      message: 'm',
      source: { component: 'kubelet' },
      involvedObject: { kind: 'Pod' },
    };
    const expected = { reason: 'Failed', type: 'Warning', reporter: 'kubelet', message: 'm', object: { kind: 'Pod' } };
    expect(readDescribedEvent(JSON.stringify(core))).toEqual(expected);
    expect(
      readDescribedEvent(
        JSON.stringify({
          kind: 'Event',
          reason: 'Failed',
          type: 'Warning',
          note: 'm',
          reportingController: 'kubelet',
          regarding: { kind: 'Pod' },
        }),
      ),
    ).toEqual(expected);
    expect(
      readDescribedEvent(JSON.stringify({ kind: 'Pod', reason: 'Failed', type: 'Warning', reporter: 'kubelet', message: 'm' })),
    ).toEqual(expected);
  });
});
