import { defineConfig } from 'vitest/config'
import { RESOLVE, SHARED } from './scripts/test/vitestSettings.ts'
import { PATIENCE } from './test/support/time/patience.ts'

/** `npm run test:browser`. */
export default defineConfig({
  resolve: RESOLVE,
  test: {
    ...SHARED,
    include: ['test/browser/**/*.test.ts'],
    // Only against tests that hang: one step of a page alone may take a minute (test/browser/visit.ts).
    testTimeout: 240_000 * PATIENCE,
    hookTimeout: 240_000 * PATIENCE,
  },
})
