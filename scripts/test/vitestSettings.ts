import { configDefaults } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose tests start processes and wait for them, slowest first. Everything else takes a few seconds. */
const FOLDERS = [
  'test/hostile/',
  'test/crash/',
  'test/commands/',
  'test/docs/',
  'test/simulation/',
  'test/engines/',
  'test/property/',
  'test/e2e/',
  'test/contract/',
  'scripts/restore/',
  'services/sandbox/',
  'services/reactor/',
  'capabilities/documents/',
]

/**
 * The file that starts last decides when the run ends, so a long one must not come last while the other workers idle.
 * Vitest would order the files by their last duration, which is unknown in a fresh clone.
 */
class ProcessTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const found = FOLDERS.findIndex((folder) => moduleId.includes(`/${folder}`))
      return found === -1 ? FOLDERS.length : found
    }
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}

/** A test file with this ending is left out of `npm test` and run by `npm run test:slow`. */
export const SLOW_TESTS = '**/*.slow.test.ts'

/** Run by both: with few cases by `npm test`, with many by `npm run test:slow` (test/support/cases/propertyRuns.ts). */
export const PROPERTY_TESTS = '**/*.property.test.ts'

/** These folders have their own configuration and command. */
const OTHER_COMMANDS = ['test/engines/**', 'test/browser/**', 'test/proof/**', 'test/clients/**']
export const NOT_HERE = [...configDefaults.exclude, '.data/**', ...OTHER_COMMANDS]

/** Seeds the property tests. */
export const PROPERTY_SEED_SETUP = 'test/support/cases/propertySeed.ts'

/** Node and vitest resolve graphql to two copies unless told otherwise, and graphql refuses objects of another copy. */
export const RESOLVE = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] }

/**
 * A busy machine shows as time that runs out, in vitest, until(), Playwright or our own code. `.ci/run` sets
 * CI_RETRY=once: it tries such a test once more, names it at the end, and fails if there were more than two. Without the
 * variable every failure counts, so that a test that races the clock is noticed where it is written.
 */
function timeoutRetry(setting: string | undefined): 0 | { count: number; condition: RegExp } {
  if (!setting) return 0
  if (setting !== 'once') throw new Error(`CI_RETRY must be unset or "once", not ${JSON.stringify(setting)}`)
  const condition =
    /timed out|connection timeout|(not|no answer|not ready) within \d+ m?s|took longer than \d+ ms|Timeout \d+ms exceeded/
  return { count: 1, condition }
}

/** What every test command has in common. */
export const SHARED = {
  globalSetup: 'test/support/databases/globalSetup.ts',
  setupFiles: [PROPERTY_SEED_SETUP],
  // Tests send signals, start processes and change their environment, which threads of one process would share.
  pool: 'forks' as const,
  sequence: { sequencer: ProcessTestsFirst },
  passWithNoTests: false,
  retry: timeoutRetry(process.env.CI_RETRY),
}
