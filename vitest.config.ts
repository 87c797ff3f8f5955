import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longestFirst.ts'
import { LONG_TESTS } from './test/support/longTests.ts'

/** They start processes, or put another module in the place of one that others have read. */
const ALONE = [
  'test/**/*.test.ts',
  'scripts/**/*.test.ts',
  'services/platform/postgres/embedded/*.test.ts',
  'services/platform/http/answers.test.ts',
  'services/backend/graphql/logins.test.ts',
  'services/sandbox/paymentProvider/state/providerState.test.ts',
]
// test/engines and test/browser have a configuration, and a command, of their own.
const ELSEWHERE = [...configDefaults.exclude, '.data/**', 'test/engines/**', 'test/browser/**', ...LONG_TESTS]

export default defineConfig({
  // As Node finds it: the test's own would be a second copy beside that of the packages, which it refuses.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    globalSetup: 'test/support/globalSetup.ts',
    // Tests send signals, start processes and change their environment, which threads of one process would share.
    pool: 'forks',
    // Most tests wait for a database or a process: the default of one worker on two cores would idle.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    passWithNoTests: false,
    projects: [
      { extends: true, test: { name: 'alone', include: ALONE, exclude: ELSEWHERE } },
      // One process for many files: to read the same modules anew for each would take longer than most of these tests.
      {
        extends: true,
        test: { name: 'together', include: ['**/*.test.ts'], exclude: [...ELSEWHERE, ...ALONE], isolate: false },
      },
    ],
    testTimeout: 15_000,
    hookTimeout: 15_000,
  },
})
