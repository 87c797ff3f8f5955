import { defineConfig } from 'vitest/config'
import { NOT_HERE, PROPERTY_TESTS, RESOLVE, SHARED, SLOW_TESTS } from './scripts/test/vitestSettings.ts'

/** `npm run test:slow`. */
export default defineConfig({
  resolve: RESOLVE,
  test: {
    ...SHARED,
    include: [SLOW_TESTS, PROPERTY_TESTS],
    env: { PROPERTY_RUNS: 'many' },
    exclude: NOT_HERE,
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
