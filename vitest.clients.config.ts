import { defineConfig } from 'vitest/config'
import { RESOLVE, SHARED } from './scripts/test/vitestSettings.ts'
import { PATIENCE } from './test/support/time/patience.ts'

const { globalSetup: _, ...shared } = SHARED

/** `npm run test:clients`. Its installation has a database of its own, so nothing is set up for the whole run. */
export default defineConfig({
  resolve: RESOLVE,
  test: {
    ...shared,
    include: ['test/clients/**/*.test.ts'],
    testTimeout: 120_000 * PATIENCE,
    hookTimeout: 120_000 * PATIENCE,
  },
})
