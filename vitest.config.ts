import { defineConfig } from 'vitest/config'
import { NOT_HERE, RESOLVE, SHARED, SLOW_TESTS } from './scripts/test/vitestSettings.ts'
import { PATIENCE } from './test/support/time/patience.ts'

/**
 * These change the environment, replace a module that other tests import, or would be disturbed by what other files leave
 * in the process. A process for a file takes half a second, so there are few.
 */
const ISOLATED = [
  'scripts/kafka/jars.test.ts',
  'services/backend/graphql/signIn/logins.test.ts',
  'platform/http/answer/answers.test.ts',
  'test/support/time/eventLoopStall.test.ts',
]
const EXCLUDED = [...NOT_HERE, SLOW_TESTS]

/** `npm test`. */
export default defineConfig({
  resolve: RESOLVE,
  test: {
    ...SHARED,
    // Most tests wait for a database or a process: the default of one worker on two cores would idle.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'isolated', include: ISOLATED, exclude: EXCLUDED } },
      // These share a process: importing the same modules for each file would take longer than most of the tests.
      {
        extends: true,
        test: { name: 'shared', include: ['**/*.test.ts'], exclude: [...EXCLUDED, ...ISOLATED], isolate: false },
      },
    ],
    // Only against tests that hang. No test has a limit of its own, which would forget the patience.
    testTimeout: 120_000 * PATIENCE,
    hookTimeout: 120_000 * PATIENCE,
  },
})
