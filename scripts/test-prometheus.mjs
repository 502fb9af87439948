// npm run test:prometheus: the dashboard and the alerts, evaluated by a real Prometheus that scrapes a real service. Opt-in, for it fetches
// Debian's package of Prometheus first.
import { spawn } from 'node:child_process';
import { fetchPrometheus } from './fetch-prometheus.mjs';

const { prometheus, promtool } = await fetchPrometheus();
const env = { ...process.env, TEST_PROMETHEUS: prometheus, TEST_PROMTOOL: promtool };
const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.prometheus.config.ts', ...process.argv.slice(2)];
spawn(process.execPath, args, { env, stdio: 'inherit' }).on('exit', (code) => process.exit(code ?? 1));
