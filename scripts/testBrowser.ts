import path from 'node:path'
import { runParts } from './test/runParts.ts'
import { runVitest } from './test/runVitest.ts'
import { testFilters } from './test/testFilters.ts'

const usage = `npm run test:browser [-- <part of a test file's name> …]

Runs the tests in test/browser in the machine's Chromium, headless. Without Chromium they are skipped with a reason;
set CHROMIUM to the path of one that is not found by itself.
The last line is "N passed, N failed", with ", N skipped" if tests were skipped.
Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

const root = path.resolve(import.meta.dirname, '..')
const filters = testFilters('npm run test:browser', usage)
const config = 'vitest.browser.config.ts'
await runParts([{ name: 'browser', run: () => runVitest({ root, config, filters, output: 'inherit' }) }])
