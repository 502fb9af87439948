import { defineConfig, mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

/** The tests that need the programs of a PostgreSQL; `npm run test:restore` looks for them and then runs these. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['test/restore/*.live.ts'], testTimeout: 180_000, hookTimeout: 60_000 } }),
);
