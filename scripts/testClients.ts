import path from 'node:path'
import { runParts } from './test/runParts.ts'
import { runVitest } from './test/runVitest.ts'
import { testFilters } from './test/testFilters.ts'

const usage = `npm run test:clients [-- <part of a test file's name> …]

Runs the set-ups of docs/clients.md with the clients of others: each has to get its answers from npm start, and each of
its calls has to be charged. Clients in Python need Python 3.12 or newer with pip, aider exactly 3.12; without it they are
skipped with a reason. The first run downloads 700 MB, which are kept in node_modules/.cache.
The last line is "N passed, N failed", with ", N skipped" if tests were skipped.
Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

const root = path.resolve(import.meta.dirname, '..')
const filters = testFilters('npm run test:clients', usage)
const config = 'vitest.clients.config.ts'
await runParts([{ name: 'clients', run: () => runVitest({ root, config, filters, output: 'inherit' }) }])
