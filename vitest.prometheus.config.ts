import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

/** The tests that need a real Prometheus; `npm run test:prometheus` fetches one and then runs them. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['test/prometheus/*.live.ts'], testTimeout: 120_000, hookTimeout: 120_000 } }),
);
