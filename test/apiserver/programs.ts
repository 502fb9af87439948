import type { ApiServerPrograms } from '../support/api-server-process.js';

/** Where scripts/test-apiserver.mjs has put the programs. */
export function programsOfEnvironment(): ApiServerPrograms {
  const pathOf = (variable: string): string => {
    const path = process.env[variable];
    if (!path) throw new Error(`${variable} is not set: start these tests with npm run test:apiserver`);
    return path;
  };
  return { apiserver: pathOf('TEST_APISERVER'), etcd: pathOf('TEST_ETCD'), etcdctl: pathOf('TEST_ETCDCTL') };
}
