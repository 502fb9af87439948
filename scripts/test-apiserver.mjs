// npm run test:apiserver: the stories of watching, told against a real kube-apiserver. Opt-in, for it builds that server first.
import { spawn } from 'node:child_process';
import { buildApiServer } from './build-apiserver.mjs';

const { apiserver, etcd, etcdctl } = await buildApiServer();
const env = { ...process.env, TEST_APISERVER: apiserver, TEST_ETCD: etcd, TEST_ETCDCTL: etcdctl };
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.apiserver.config.ts', ...process.argv.slice(2)];
spawn(process.execPath, args, { env, stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
