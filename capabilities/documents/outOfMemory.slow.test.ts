import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-memory-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs out of memory inside a single V8 call, where a worker thread cannot be stopped before the process aborts. */
const PROGRAM = `
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
if (isMainThread) {
  writeSync(3, 'ready\\n')
  let received = 0
  for await (const chunk of process.stdin) received += chunk.length
  if (received === 0) process.exit()
}
JSON.parse('[' + '{"a":[]},'.repeat(3_000_000) + '0]')
`

test('a service started by npm start survives a document that exhausts the memory of V8', () => {
  const program = join(folder, 'parse.mjs')
  writeFileSync(program, PROGRAM)
  const service = fileURLToPath(new URL('../../test/support/parties/hostileReading.ts', import.meta.url))
  // The flag of npm start: without it, V8 often stops the thread in time.
  const args = ['--max-semi-space-size=64', service, program]
  const { status, signal, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, signal, stdout }).toEqual({ status: 0, signal: null, stdout: 'BeyondLimits' })
})
