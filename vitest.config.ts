import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longestFirst.ts'

export default defineConfig({
  // As Node finds it: the test's own would be a second copy beside that of the packages, which it refuses.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['**/*.test.ts'],
    // test/engines and test/browser have a configuration, and a command, of their own.
    exclude: [...configDefaults.exclude, '.data/**', 'test/engines/**', 'test/browser/**'],
    globalSetup: 'test/support/globalSetup.ts',
    // Tests send signals, start processes and change their environment, which threads of one process would share.
    pool: 'forks',
    // Most tests wait for a database or a process: the default of one worker on two cores would idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    passWithNoTests: false,
    testTimeout: 15_000,
    hookTimeout: 15_000,
  },
})
