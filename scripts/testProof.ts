import path from 'node:path'
import { runParts } from './test/runParts.ts'
import { runVitest } from './test/runVitest.ts'
import { testFilters } from './test/testFilters.ts'

const usage = `npm run test:proof [-- <part of a test file's name> …]

Runs the tests in test/proof: programs of others verify a log of ours, its signed notes, tiles and proofs, and the log and
the receipts that npm start serves over HTTP. They are Go's
golang.org/x/mod/sumdb, which needs Go, and Python's aics-tlog, which needs Python 3.12 or newer with pip; both are
downloaded at the first run. Without one of the two its tests are skipped with a reason.
The last line is "N passed, N failed", with ", N skipped" if tests were skipped.
Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

const root = path.resolve(import.meta.dirname, '..')
const filters = testFilters('npm run test:proof', usage)
const config = 'vitest.proof.config.ts'
await runParts([{ name: 'proof', run: () => runVitest({ root, config, filters, output: 'inherit' }) }])
