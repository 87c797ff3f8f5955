import { defineConfig } from 'vitest/config'

/** The tests that need real outside engines, which `npm test` does not: `npm run test:engines`. */
export default defineConfig({
  test: {
    include: ['test/engines/**/*.test.ts'],
    globalSetup: ['test/support/globalSetup.ts', 'test/support/kafkaGlobalSetup.ts'],
    pool: 'forks',
    // Engines share the cores with the tests, and a suite that kills brokers is not to be starved by another.
    maxWorkers: 2,
    passWithNoTests: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
})
