import path from 'node:path'
import { runParts } from './test/runParts.ts'
import { runVitest } from './test/runVitest.ts'
import { testFilters } from './test/testFilters.ts'

const usage = `npm run test:engines [-- <part of a test file's name> …]

Runs the tests in test/engines, and those in test/e2e on production engines instead of the embedded ones: a real Kafka
(with the machine's Java and Maven, or in Docker), a real redis-server, and a real EventStoreDB (the server's binary
that ESDB_SERVER names, or in Docker). Tests whose engine is missing are skipped with a reason; with
CI_ENGINES=required they fail, except those of EventStoreDB if ESDB_SERVER is "none".
The last line is "N passed, N failed", with ", N skipped" if tests were skipped.
Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

const root = path.resolve(import.meta.dirname, '..')
const filters = testFilters('npm run test:engines', usage)

const wanted = process.env.CI_ENGINES
if (wanted && wanted !== 'required') {
  console.error(`CI_ENGINES must be unset or "required", not ${JSON.stringify(wanted)}`)
  process.exit(2)
}

const config = 'vitest.engines.config.ts'
await runParts([{ name: 'engines', run: () => runVitest({ root, config, filters, output: 'inherit' }) }])
