import path from 'node:path'
import { describeImportArrows, readImportArrows } from './test/importArrows.ts'
import { asOutcome, runParts } from './test/runParts.ts'
import { runTool } from './test/runTool.ts'
import { runVitest } from './test/runVitest.ts'
import { testFilters } from './test/testFilters.ts'

const usage = `npm test [-- <part of a test file's name> …]

Runs the type check, the linter, the check of the import arrows, and every test that needs no engine beyond the
embedded ones, except those in *.slow.test.ts files (npm run test:slow). Names select tests; the checks always run.
The last line is "N passed, N failed", with ", N skipped" if tests were skipped.
Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

const root = path.resolve(import.meta.dirname, '..')
const filters = testFilters('npm test', usage)

const tool =
  (name: string, ...toolArgs: string[]) =>
  async () => {
    const exitCode = await runTool(name, toolArgs, { cwd: root, output: 'if failed', low: true })
    return asOutcome(exitCode === 0, `${name} ended with ${exitCode}`)
  }

const arrows = async () => {
  const { passed, text } = describeImportArrows(await readImportArrows(root))
  if (!passed) console.log(text)
  return asOutcome(passed, 'an import points the wrong way')
}

// Tests often wait for a database or a process: the checks use that time.
await runParts(
  [
    { name: 'types', run: tool('tsc', '--noEmit') },
    { name: 'console', run: tool('tsc', '--noEmit', '-p', 'console') },
    { name: 'lint', run: tool('biome', 'check') },
    { name: 'arrows', run: arrows },
  ],
  [{ name: 'tests', run: () => runVitest({ root, filters, output: 'inherit' }) }],
)
