import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { closingLine, formatTable } from './test/closing.ts'
import { describeImportArrows, readImportArrows } from './test/importArrows.ts'
import { runTool } from './test/runTool.ts'
import { runVitest, type VitestOutcome } from './test/runVitest.ts'

const usage = `npm test [-- <part of a test file's name> …]

Runs the type check, the linter, the check of the import arrows, and every test that needs no engine
beyond the embedded ones. Names narrow down the tests; the three checks always run.
The last line is "N passed, N failed", with ", N skipped" where tests were skipped.
Exit code: 0 all passed, 1 something failed, 2 wrong usage.`

const root = path.resolve(import.meta.dirname, '..')
const args = process.argv.slice(2)

if (args.includes('--help') || args.includes('-h')) {
  console.log(usage)
  process.exit(0)
}
const unknown = args.find((arg) => arg.startsWith('-'))
if (unknown !== undefined) {
  console.error(`npm test has no option ${unknown}; see npm test -- --help`)
  process.exit(2)
}

// A tool that Ctrl-C reaches ends by itself and stops what it started; only then is this process done.
let interrupted = false
process.on('SIGINT', () => {
  interrupted = true
})

const asOutcome = (passed: boolean, fault: string): VitestOutcome => ({
  passed: passed ? 1 : 0,
  failed: passed ? 0 : 1,
  skipped: [],
  faults: passed ? [] : [fault],
})

const tool =
  (name: string, ...toolArgs: string[]) =>
  async () => {
    const exitCode = await runTool(name, toolArgs, { cwd: root, output: 'inherit' })
    return asOutcome(exitCode === 0, `${name} ended with ${exitCode}`)
  }

const arrows = async () => {
  const { passed, text } = describeImportArrows(await readImportArrows(root))
  console.log(text)
  return asOutcome(passed, 'an import points the wrong way')
}

const parts: { name: string; run: () => Promise<VitestOutcome> }[] = [
  { name: 'types', run: tool('tsc', '--noEmit') },
  { name: 'lint', run: tool('biome', 'check') },
  { name: 'arrows', run: arrows },
  { name: 'tests', run: () => runVitest({ root, filters: args, output: 'inherit' }) },
]

const results: (VitestOutcome & { name: string; seconds: number })[] = []
for (const { name, run } of parts) {
  if (interrupted) break
  console.log(`\n${name}`)
  const startedMs = performance.now()
  const outcome = await run().catch((error: unknown) => asOutcome(false, String(error)))
  results.push({ name, ...outcome, seconds: (performance.now() - startedMs) / 1000 })
}
if (interrupted) process.exit(130)

for (const { name, faults } of results) for (const fault of faults) console.log(`failed: ${name}: ${fault}`)
for (const { skipped } of results) {
  for (const { name, reason } of skipped) console.log(`skipped: ${name}: ${reason ?? 'no reason given'}`)
}

const heading = ['part', 'seconds', 'passed', 'failed', 'skipped']
const rows = results.map((part) =>
  [part.name, part.seconds.toFixed(1), part.passed, part.failed, part.skipped.length].map(String),
)
console.log(`\n${formatTable([heading, ...rows])}\n`)

const failed = results.reduce((sum, part) => sum + part.failed, 0)
const passed = results.reduce((sum, part) => sum + part.passed, 0)
const skipped = results.reduce((sum, part) => sum + part.skipped.length, 0)
console.log(closingLine({ passed, failed, skipped }))
process.exitCode = failed > 0 ? 1 : 0
