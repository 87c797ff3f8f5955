import { performance } from 'node:perf_hooks'
import { closingLine, formatTable } from './closing.ts'
import type { VitestOutcome } from './runVitest.ts'

export type Part = { readonly name: string; run(): Promise<VitestOutcome> }

/** A check that is not a test run counts as one test. */
export const asOutcome = (passed: boolean, fault: string): VitestOutcome => ({
  passed: passed ? 1 : 0,
  failed: passed ? 0 : 1,
  skipped: [],
  retried: [],
  faults: passed ? [] : [fault],
})

type Result = VitestOutcome & { name: string; seconds: number }

/**
 * Runs the parts of a lane one after the other, the lanes beside each other, and closes with a table and the line
 * "N passed, N failed". Sets the exit code.
 */
export async function runParts(...lanes: readonly (readonly Part[])[]): Promise<void> {
  // On Ctrl-C a tool ends by itself and stops what it started; only then is this process done.
  let interrupted = false
  process.on('SIGINT', () => {
    interrupted = true
  })
  // SIGTERM ends the tool, too (runTool); what it found until then is still shown.
  let terminated = false
  process.on('SIGTERM', () => {
    terminated = true
  })

  const runLane = async (parts: readonly Part[]) => {
    const results: Result[] = []
    for (const { name, run } of parts) {
      if (interrupted || terminated) break
      console.log(`\n${name}`)
      const startedMs = performance.now()
      const outcome = await run().catch((error: unknown) => asOutcome(false, String(error)))
      results.push({ name, ...outcome, seconds: (performance.now() - startedMs) / 1000 })
    }
    return results
  }
  const results = (await Promise.all(lanes.map(runLane))).flat()
  if (interrupted) process.exit(130)

  for (const { name, faults } of results) for (const fault of faults) console.log(`failed: ${name}: ${fault}`)
  for (const { name, retried } of results) {
    for (const test of retried) console.log(`passed at the second try: ${name}: ${test}`)
  }
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
}
