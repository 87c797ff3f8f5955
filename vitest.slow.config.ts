import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { NOT_HERE, PROPERTY_TESTS, RESOLVE, SHARED, SLOW_TESTS } from './scripts/test/vitestSettings.ts'
import { PATIENCE } from './test/support/time/patience.ts'

/** These replace a module that other tests import, or measure the memory or the stalls of their process. */
const ISOLATED = [
  'platform/postgres/embedded/embeddedPostgres.slow.test.ts',
  'scripts/stack/startStack.slow.test.ts',
  'services/sandbox/mailbox/mailbox.slow.test.ts',
  'test/crash/productionStart.slow.test.ts',
  'test/e2e/wire/unidentifiedCallers.slow.test.ts',
  'test/e2e/wire/hostileProvider.slow.test.ts',
  'test/hostile/everyRoute.slow.test.ts',
]

/** Each run tries other cases, unless it repeats those of another. */
const seed = process.env.PROPERTY_SEED || String(randomInt(2 ** 31))
console.log(`property tests: PROPERTY_SEED=${seed}`)

/** `npm run test:slow`. */
export default defineConfig({
  resolve: RESOLVE,
  test: {
    ...SHARED,
    env: { PROPERTY_RUNS: 'many', PROPERTY_SEED: seed },
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'isolated', include: ISOLATED, exclude: NOT_HERE } },
      // As in vitest.config.ts: importing the modules takes a file of its own process three seconds of a core.
      {
        extends: true,
        test: {
          name: 'shared',
          include: [SLOW_TESTS, PROPERTY_TESTS],
          exclude: [...NOT_HERE, ...ISOLATED],
          isolate: false,
        },
      },
    ],
    // Only against tests that hang. A property test whose time runs out would go on beside its own second try.
    testTimeout: 300_000 * PATIENCE,
    hookTimeout: 300_000 * PATIENCE,
  },
})
