import path from 'node:path'
import { runParts } from './test/runParts.ts'
import { runVitest } from './test/runVitest.ts'
import { testFilters } from './test/testFilters.ts'

const usage = `npm run test:slow [-- <part of a test file's name> …]

Runs the test files whose names end in .slow.test.ts: kills and restarts, services started alone, hostile providers,
parsing fixtures, backup and restore. They need no engine beyond the embedded ones. It also runs the files whose names
end in .property.test.ts, with more cases than npm test.
The last line is "N passed, N failed", with ", N skipped" if tests were skipped.
Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

const root = path.resolve(import.meta.dirname, '..')
const filters = testFilters('npm run test:slow', usage)
const config = 'vitest.slow.config.ts'
await runParts([{ name: 'slow', run: () => runVitest({ root, config, filters, output: 'inherit' }) }])
