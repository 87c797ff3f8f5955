import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'

export type SkippedTest = { name: string; reason: string | undefined }
export type FailedTest = { name: string; message: string }
export type TestRun = {
  passed: number
  failed: FailedTest[]
  skipped: SkippedTest[]
  /** Passed at the second attempt, after the first timed out. */
  retried: string[]
  brokenFiles: string[]
  strayErrors: number
}

/** The variable with the file to which the reporter, which runs inside vitest, writes its findings. */
export const testRunFileVariable = 'TOLLGATE_TEST_RUN_FILE'

const nameOfModule = (module: TestModule) => path.relative(process.cwd(), module.moduleId)
const nameOf = (test: TestCase) => `${nameOfModule(test.module)} > ${test.fullName}`

const firstLine = (message: string | undefined) => message?.split('\n', 1)[0] ?? 'no message'

// A failed hook leaves its tests skipped; they must not count as skipped on purpose.
const hasBrokenParent = (test: TestCase): boolean => {
  for (let parent: TestSuite | TestModule = test.parent; ; parent = parent.parent) {
    if (parent.errors().length > 0) return true
    if (parent.type === 'module') return false
  }
}

export function summarise(modules: readonly TestModule[], strayErrors: number): TestRun {
  const run: TestRun = { passed: 0, failed: [], skipped: [], retried: [], brokenFiles: [], strayErrors }
  for (const module of modules) {
    const suites = [...module.children.allSuites()]
    if (module.errors().length > 0 || suites.some((suite) => suite.errors().length > 0)) {
      run.brokenFiles.push(nameOfModule(module))
    }
    for (const test of module.children.allTests()) {
      const result = test.result()
      if (result.state === 'passed') {
        run.passed += 1
        if (test.diagnostic()?.flaky) run.retried.push(nameOf(test))
      } else if (result.state === 'skipped') {
        const reason = hasBrokenParent(test) ? 'its suite failed before it ran' : result.note
        run.skipped.push({ name: nameOf(test), reason })
      } else if (result.state === 'failed')
        run.failed.push({ name: nameOf(test), message: firstLine(result.errors[0]?.message) })
    }
  }
  return run
}

// vitest's own JSON report contains neither the reason for a skipped test nor errors that belong to no test.
export default class TestRunReporter implements Reporter {
  readonly #running = new Set<TestModule | TestCase>()

  onInit(vitest: Vitest) {
    // From a person, or from .ci/run to a command that takes too long: what it hung on is the most useful thing to know.
    process.once('SIGTERM', () => {
      const run = summarise(vitest.state.getTestModules(), 0)
      write({ ...run, failed: [...run.failed, ...stillRunning(this.#running)] })
      // Not the signal again, which would skip the exit steps that stop PostgreSQL.
      process.exit(143)
    })
  }

  onTestModuleStart(module: TestModule) {
    this.#running.add(module)
  }

  onTestModuleEnd(module: TestModule) {
    this.#running.delete(module)
  }

  onTestCaseReady(test: TestCase) {
    this.#running.add(test)
  }

  onTestCaseResult(test: TestCase) {
    this.#running.delete(test)
  }

  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly unknown[]) {
    write(summarise(modules, strayErrors.length))
  }
}

/** The tests; a file is named only if none of its tests runs, because it then hangs in a hook or an import. */
function stillRunning(running: ReadonlySet<TestModule | TestCase>): FailedTest[] {
  const all = [...running]
  const tests = all.filter((one) => one.type === 'test')
  const files = all.filter((one) => one.type === 'module' && !tests.some(({ module }) => module === one))
  const names = [...tests.map(nameOf), ...files.map((file) => nameOfModule(file as TestModule))]
  return names.map((name) => ({ name, message: 'was still running when the run was stopped' }))
}

function write(run: TestRun): void {
  const file = process.env[testRunFileVariable]
  if (file === undefined) throw new Error(`${testRunFileVariable} is not set`)
  writeFileSync(file, JSON.stringify(run))
}
