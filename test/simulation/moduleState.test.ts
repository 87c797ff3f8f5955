import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDERS = '{platform,capabilities,services,projections,domain,contracts}/**/*.ts'

/** Variables, and collections that begin empty and are not read-only. */
const STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)(?:: (?!readonly|Readonly)[^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|\[\]|Array\.from\())/gm

/**
 * State of modules is shared by all simulated processes and by all runs of a real process, so a killed process may leave
 * something in it that a real one would not, and a run may depend on the one before. Why each of these is harmless:
 */
const KNOWN: Readonly<Record<string, string>> = {
  'capabilities/providers/providerMetrics.ts KNOWN': 'by registry, and each process has its own',
  'capabilities/transparency/canonicalJson.ts known': 'cache of a pure function',
  'capabilities/transparency/proofs.ts knownRoots': 'cache of a pure function',
  'platform/clock/clock.ts lastMs': 'cache of a pure function',
  'platform/clock/clock.ts lastSecond': 'cache of a pure function',
  'platform/clock/clock.ts lastText': 'cache of a pure function',
  'platform/clock/clock.ts upToSecond': 'cache of a pure function',
  'platform/http/commonRoutes/docsRoutes.ts loaded': 'files of the repository, which are read at once',
  'platform/http/halfClosed.ts eventStreams': 'by response',
  'platform/logger/redact.ts isSecretByName': 'cache of a pure function',
  'platform/secrets/passwords.ts begun': 'the lanes are alike when a run begins',
  'platform/secrets/passwords.ts lanes': 'password hashes of killed processes end at once',
  'projections/runner/columnNames.ts fields': 'cache of a pure function',
  'projections/runner/tables.ts knownTypes': 'filled before the first run (database/columnTypes.ts)',
  'projections/runner/tables.ts statementNames': 'names of statements are no part of the hash',
  'projections/usage/callCounts.ts lastCall': 'cache of a pure function',
  'projections/usage/callCounts.ts lastEvent': 'cache of a pure function',
  'services/backend/routes/checker.ts file': 'a file of the repository, which is read at once',
  'services/backend/routes/graphiqlFiles.ts compressed': 'not used: its compression in a thread fails a run',
  'services/gateway/call/streamedCall.ts NONE_READ': 'stays empty',
  'services/gateway/mcp/loadToolServer.ts loading': 'not used: its late imports fail a run',
  'services/gateway/wire/answers/providerMembers.ts NAMES_BY_START': 'filled while the module loads',
}

it('modules keep no state that a simulated process could leave to others', () => {
  const found = globSync(FOLDERS, { cwd: ROOT, exclude: ['**/*.test.ts', '**/node_modules/**', 'services/sandbox/**'] })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8')
      return [...text.matchAll(STATE)].map(([, variable, collection]) => `${file} ${variable ?? collection}`)
    })
  expect(found.toSorted()).toEqual(Object.keys(KNOWN).toSorted())
})
