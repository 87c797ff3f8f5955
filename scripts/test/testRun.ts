import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

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
      } else run.failed.push({ name: nameOf(test), message: firstLine(result.errors?.[0]?.message) })
    }
  }
  return run
}

// vitest's own JSON report contains neither the reason for a skipped test nor errors that belong to no test.
export default class TestRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], strayErrors: readonly unknown[]) {
    const file = process.env[testRunFileVariable]
    if (file === undefined) throw new Error(`${testRunFileVariable} is not set`)
    writeFileSync(file, JSON.stringify(summarise(modules, strayErrors.length)))
  }
}
