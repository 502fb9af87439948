import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Nest loads graphql as CommonJS; a second copy as ESM would not know the first one's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['src/**/*.spec.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most of a test's time goes by waiting for processes and databases, so that three files share two cores well.
    maxWorkers: 3,
    // Loading the service anew for each file would take as long again as the tests; no file keeps state in a module.
    isolate: false,
  },
});
