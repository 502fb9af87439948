import { describe, expect, it } from 'vitest';
import { OBJECT_KINDS, objectPaths } from './object-paths.js';

describe('objectPaths', () => {
  it('knows where the objects of a kind are', () => {
    expect(objectPaths({ kind: 'Pod', namespace: 'shop', name: 'web-0' })).toEqual(['/api/v1/namespaces/shop/pods/web-0']);
    expect(objectPaths({ kind: 'Node', namespace: '', name: 'node-1' })).toEqual(['/api/v1/nodes/node-1']);
    expect(objectPaths({ kind: 'CronJob', namespace: 'shop', name: 'backup' })).toEqual([
      '/apis/batch/v1/namespaces/shop/cronjobs/backup',
      '/apis/batch/v1beta1/namespaces/shop/cronjobs/backup',
    ]);
  });

  it('asks for nothing that could be another object', () => {
    expect(objectPaths({ kind: 'Pod', namespace: 'shop', name: '' })).toEqual([]);
    expect(objectPaths({ kind: 'Pod', namespace: '', name: 'web' })).toEqual([]);
    expect(objectPaths({ kind: 'Pod', namespace: 'shop', name: '../secrets/x?y' })).toEqual([
      '/api/v1/namespaces/shop/pods/..%2Fsecrets%2Fx%3Fy',
    ]);
    expect(objectPaths({ kind: 'constructor', namespace: 'shop', name: 'web' })).toEqual([]);
  });

  it('names every kind once', () => {
    expect(new Set(OBJECT_KINDS).size).toBe(OBJECT_KINDS.length);
    for (const kind of OBJECT_KINDS) expect(objectPaths({ kind, namespace: 'n', name: 'x' })).not.toEqual([]);
  });
});
