import { describe, expect, it } from 'vitest';
import { goneEvent } from './gone-event.js';

const web = { kind: 'Pod', namespace: 'shop', name: 'web', lastAt: 5000 };

describe('goneEvent', () => {
  it('says that the object is deleted, when it was noticed', () => {
    expect(goneEvent(web, 9000)).toMatchObject({
      object: { kind: 'Pod', name: 'web', deleted: true },
      lastAt: 9000,
      firstAt: 9000,
      timed: true,
    });
  });

  it('is never before the last trouble of the object', () => {
    expect(goneEvent(web, 4000).lastAt).toBe(5000);
  });

  it('is the same event when told twice, and another one when the object goes once more', () => {
    expect(goneEvent(web, 9000).uid).toBe(goneEvent(web, 9000).uid);
    expect(goneEvent(web, 9001).uid).not.toBe(goneEvent(web, 9000).uid);
    expect(goneEvent({ ...web, namespace: 'other' }, 9000).uid).not.toBe(goneEvent(web, 9000).uid);
  });
});
