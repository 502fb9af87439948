import { describe, expect, it } from 'vitest';
import { FieldReader } from './field-reader.js';
import { readEventObject } from './read-event-object.js';

function read(involvedObject: unknown) {
  const fields = new FieldReader(0);
  const object = readEventObject({ involvedObject }, fields);
  return { object, fault: fields.fault };
}

const pod = { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'u-1' };

describe('readEventObject', () => {
  it('reads and trims the names', () => {
    const { object } = read({ kind: ' Pod', namespace: 'shop ', name: '\tweb-0', uid: ' u-1 ' });
    expect(object).toEqual({ ...pod, container: '' });
  });

  it('reads regarding where there is no involvedObject', () => {
    expect(readEventObject({ regarding: pod }, new FieldReader(0))).toMatchObject(pod);
    expect(readEventObject({ involvedObject: null, regarding: pod }, new FieldReader(0))).toMatchObject(pod);
  });

  it('knows a Node by its name alone', () => {
    const { object } = read({ kind: 'Node', namespace: 'default', name: 'node-1', uid: 'node-1' });
    expect(object).toEqual({ kind: 'Node', namespace: '', name: 'node-1', uid: '', container: '' });
  });

  it.each([
    ['spec.containers{app}', 'app'],
    ['spec.initContainers{init}', 'init'],
    ['spec.ephemeralContainers{debug}', 'debug'],
    ['spec.containers[2]', ''],
    ['spec.containers{app', ''],
    ['spec.volumes{data}', ''],
    ['', ''],
    [null, ''],
  ])('reads the container of %j', (fieldPath, container) => {
    expect(read({ ...pod, fieldPath }).object.container).toBe(container);
  });

  it('takes the owner that controls the object, else the first', () => {
    const set = { kind: 'ReplicaSet', name: 'web', controller: true };
    const other = { kind: 'Thing', name: 't', controller: false };
    expect(read({ ...pod, ownerReferences: [other, set] }).object.owner).toEqual({ kind: 'ReplicaSet', name: 'web' });
    expect(read({ ...pod, ownerReferences: [other, { kind: 'B' }] }).object.owner).toEqual({
      kind: 'Thing',
      name: 't',
    });
    for (const none of [[], null, undefined, [{}]]) expect(read({ ...pod, ownerReferences: none }).object).not.toHaveProperty('owner');
  });

  it('keeps that the object is deleted only where it is', () => {
    expect(read({ ...pod, deleted: true }).object.deleted).toBe(true);
    for (const not of [false, null, undefined]) expect(read({ ...pod, deleted: not }).object).not.toHaveProperty('deleted');
  });

  it.each([
    [{ deleted: 'yes' }, 'involvedObject.deleted: "yes" is not true or false'],
    [{ ownerReferences: {} }, 'involvedObject.ownerReferences: an object is not an array'],
    [{ ownerReferences: [1] }, 'involvedObject.ownerReferences.0: 1 is not an object'],
    [{ ownerReferences: [{ kind: 'A', name: 1 }] }, 'involvedObject.ownerReferences.0.name: 1 is not a text'],
    [{ fieldPath: {} }, 'involvedObject.fieldPath: an object is not a text'],
  ])('names the fault of %j', (fields, fault) => {
    expect(read({ ...pod, ...fields }).fault).toBe(fault);
  });
});
