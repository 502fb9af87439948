import type { ApiServerPrograms } from './api-server-process.js';
import { ApiServerProcess } from './api-server-process.js';
import type { ApiServerUnderTest } from './api-server-under-test.js';

const RBAC = 'rbac.authorization.k8s.io';
const TOKEN = 'watcher-of-this-test-only';

/** A real kube-apiserver, with a user who may do what the watcher's role allows, for the stories of watching. */
export async function startRealApiServer(programs: ApiServerPrograms): Promise<ApiServerUnderTest> {
  const server = await ApiServerProcess.start(programs, { watcher: TOKEN });
  const make = async (resource: string, kind: string, rest: object): Promise<void> => {
    const object = { apiVersion: `${RBAC}/v1`, kind, metadata: { name: 'watcher' }, ...rest };
    const { status, body } = await server.call('POST', `/apis/${RBAC}/v1/${resource}`, object);
    if (status !== 201) throw new Error(`the ${kind} was answered ${status}: ${JSON.stringify(body)}`);
  };
  try {
    await make('clusterroles', 'ClusterRole', {
      rules: [
        { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['list', 'watch'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
      ],
    });
    const subjects = [{ kind: 'User', name: 'watcher', apiGroup: RBAC }];
    await make('clusterrolebindings', 'ClusterRoleBinding', {
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'watcher' },
      subjects,
    });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: server.url,
    ca: server.ca,
    token: TOKEN,
    call: (method, path, body) => server.call(method, path, body),
    compact: () => server.compact(),
    restart: async () => {
      await server.killApiServer();
      await server.startApiServer();
    },
    stop: () => server.stop(),
  };
}
