import { defineConfig } from 'vitest/config'

/** Tests in a real browser: `npm run test:browser`. */
export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: 'test/support/globalSetup.ts',
    pool: 'forks',
    passWithNoTests: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
