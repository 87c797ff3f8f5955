import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Output, runTool } from './runTool.ts'
import { type SkippedTest, type TestRun, testRunFileVariable } from './testRun.ts'

export type VitestOutcome = {
  passed: number
  failed: number
  skipped: SkippedTest[]
  retried: string[]
  /** What failed, one line each. */
  faults: string[]
}

type Options = {
  root: string
  filters: string[]
  output: Output
  /** A configuration other than the one that vitest finds in root. */
  config?: string
}

export async function runVitest({ root, filters, output, config }: Options): Promise<VitestOutcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-test-run-'))
  const file = path.join(folder, 'run.json')
  try {
    const reporter = path.join(import.meta.dirname, 'testRun.ts')
    const chosen = config === undefined ? [] : ['--config', config]
    const args = ['run', '--root', root, ...chosen, '--reporter=default', `--reporter=${reporter}`, ...filters]
    // Tests start hundreds of processes that read the same modules: compiled once, each starts in half the time.
    const compiled = path.join(root, 'node_modules', '.cache', 'compile')
    const env = { [testRunFileVariable]: file, NODE_COMPILE_CACHE: compiled }
    const exitCode = await runTool('vitest', args, { cwd: root, output, env })
    const run = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as TestRun) : undefined
    return judge(run, exitCode)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function judge(run: TestRun | undefined, exitCode: number): VitestOutcome {
  if (run === undefined) {
    const faults = [`vitest ended with ${exitCode} and reported nothing`]
    return { passed: 0, failed: 1, skipped: [], retried: [], faults }
  }
  const failures = run.failed.map(({ name, message }) => `${name}: ${message}`)
  const faults = run.brokenFiles.map((file) => `${file} failed outside its tests`)
  if (run.strayErrors > 0) faults.push(`${run.strayErrors} errors belong to no test`)
  for (const { name, reason } of run.skipped) {
    if (!reason) faults.push(`skipped without a reason: ${name} (skip it in the test, with context.skip('why'))`)
  }
  if (run.passed + failures.length + run.skipped.length === 0) faults.push('no test was found')
  if (exitCode !== 0 && failures.length + faults.length === 0) faults.push(`vitest ended with ${exitCode}`)
  faults.unshift(...failures)
  return { passed: run.passed, failed: faults.length, skipped: run.skipped, retried: run.retried, faults }
}
