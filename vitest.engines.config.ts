import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longestFirst.ts'
import { LONG_TESTS } from './test/support/longTests.ts'

/** As Node finds it, see vitest.config.ts. */
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }

/** Between caller, gateway and provider: no engine has a part in it beyond what the other tests show. */
const WIRE_ONLY = [
  'hostileProvider',
  'parsingFiles',
  'parsingFixtures',
  'providersReload',
  'failover',
  'gatewayDocs',
].map((name) => `test/e2e/${name}.test.ts`)

const shared = {
  pool: 'forks' as const,
  // As the services run: no word of a harmless slip of kafkajs.
  execArgv: ['--disable-warning=TimeoutNegativeWarning'],
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

/**
 * What `npm test` does not do: tests that need real outside engines, the end-to-end tests on production engines instead
 * of the embedded ones, many kills instead of a few, and what takes long. `npm run test:engines`.
 */
export default defineConfig({
  test: {
    // Once for all.
    globalSetup: ['test/support/globalSetup.ts', 'test/support/kafkaGlobalSetup.ts'],
    // Engines share the cores with the tests, and a suite that kills brokers is not to be starved by another.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    passWithNoTests: false,
    provide: { harnessEngines: 'production' },
    projects: [
      { resolve, test: { ...shared, name: 'engines', include: ['test/engines/**/*.test.ts'] } },
      {
        resolve,
        test: { ...shared, name: 'long', include: [...LONG_TESTS, 'test/crash/kill.test.ts'], env: { KILLS: '20' } },
      },
      {
        resolve,
        test: {
          ...shared,
          name: 'end to end',
          include: ['test/e2e/**/*.test.ts'],
          exclude: WIRE_ONLY,
          setupFiles: ['test/support/runOnProduction.ts'],
        },
      },
    ],
  },
})
