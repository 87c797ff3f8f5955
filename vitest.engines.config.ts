import { defineConfig } from 'vitest/config'
import { PROPERTY_SEED_SETUP, RESOLVE, SHARED } from './scripts/test/vitestSettings.ts'
import { PATIENCE } from './test/support/time/patience.ts'

const project = {
  pool: SHARED.pool,
  retry: SHARED.retry,
  setupFiles: SHARED.setupFiles,
  // As the services run: without the warning about a harmless negative timer in kafkajs.
  execArgv: ['--disable-warning=TimeoutNegativeWarning'],
  // Only against tests that hang.
  testTimeout: 300_000 * PATIENCE,
  hookTimeout: 300_000 * PATIENCE,
}

/**
 * `npm run test:engines`: the tests that need real outside engines, and the end-to-end tests, slow ones included, on
 * production engines instead of the embedded ones.
 */
export default defineConfig({
  test: {
    ...SHARED,
    globalSetup: [
      SHARED.globalSetup,
      'test/support/engines/kafkaGlobalSetup.ts',
      'test/support/eventStores/eventStoreGlobalSetup.ts',
    ],
    // Engines share the cores with the tests, and a suite that kills brokers must not be starved by another.
    maxWorkers: 2,
    provide: { harnessEngines: 'production' },
    projects: [
      { resolve: RESOLVE, test: { ...project, name: 'engines', include: ['test/engines/**/*.test.ts'] } },
      {
        resolve: RESOLVE,
        test: {
          ...project,
          name: 'end to end',
          // Not test/e2e/wire: no engine takes part in what happens between a caller, a service and a provider.
          include: ['test/e2e/*.test.ts'],
          setupFiles: [PROPERTY_SEED_SETUP, 'test/support/engines/runOnProduction.ts'],
          // As in vitest.config.ts: importing the modules takes a file of its own process three seconds of a core.
          isolate: false,
        },
      },
    ],
  },
})
