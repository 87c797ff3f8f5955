import { defineConfig } from 'vitest/config'
import { RESOLVE, SHARED } from './scripts/test/vitestSettings.ts'
import { PATIENCE } from './test/support/time/patience.ts'

const { globalSetup: _, ...shared } = SHARED

/** `npm run test:proof`. It needs no engine, so nothing is set up for the whole run. */
export default defineConfig({
  resolve: RESOLVE,
  test: {
    ...shared,
    include: ['test/proof/**/*.test.ts'],
    testTimeout: 60_000 * PATIENCE,
    // The first run downloads and compiles the packages of others.
    hookTimeout: 180_000 * PATIENCE,
  },
})
