import { defineConfig } from 'vitest/config'
import { RESOLVE, SHARED } from './scripts/test/vitestSettings.ts'

/** `npm run test:browser`. */
export default defineConfig({
  resolve: RESOLVE,
  test: {
    ...SHARED,
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
