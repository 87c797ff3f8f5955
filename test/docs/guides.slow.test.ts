import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import { asInstalled, runDocument, runnableBlocks, runProgram, type SnippetRun } from './snippets.ts'

const START_MS_MAX = 180_000
const RUN_MS_MAX = 240_000
const PIP_MS_MAX = 90_000
/** What the snippets write, in the reader's folder. */
const WRITTEN_FILES = ['cv.txt', 'old-checkpoint', 'receipt.json', 'statement.csv']

let sandbox: Installation
let run: SnippetRun
beforeAll(async () => {
  sandbox = await startInstallation()
  const { dataDir, folder, env, demo } = sandbox
  run = {
    replaced: [...asInstalled(dataDir, env), ...WRITTEN_FILES.map((name) => [name, join(folder, name)] as const)],
    env: { DATA_DIR: dataDir, TOLLGATE_KEY: demo.apiKey, SANDBOX_PORT: env.SANDBOX_PORT ?? '' },
  }
}, START_MS_MAX)
afterAll(() => sandbox.stop(), START_MS_MAX)

test('the Python call of docs/callers.md is answered', { timeout: RUN_MS_MAX }, async ({ skip }) => {
  const packages = await temporaryFolder()
  await promisify(execFile)('python3', ['-m', 'pip', 'install', '--quiet', '--target', packages, 'openai'], {
    timeout: PIP_MS_MAX,
  }).catch((error: Error) => skip(`python3 with the package openai is not available: ${error.message.slice(0, 300)}`))
  const [code = ''] = runnableBlocks('docs/callers.md', 'python', run)
  const printed = await runProgram('python3', ['-c', code], { ...run, env: { ...run.env, PYTHONPATH: packages } })
  expect(printed).toContain('This is the Tollgate sandbox')
})

test('the operations of docs/admins.md all succeed', { timeout: RUN_MS_MAX }, async () => {
  await until('the credit pack of the demo has a price at the payment provider', async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${sandbox.demo.adminToken}` }
    const body = JSON.stringify({ query: '{ creditPacks { id } }' })
    const answer = await fetch(`${sandbox.demo.backendUrl}/graphql`, { method: 'POST', headers, body })
    return ((await answer.json()) as { data: { creditPacks: unknown[] } }).data.creditPacks.length > 0
  })
  const printed = await runDocument('docs/admins.md', run)
  expect(printed).not.toContain('"errors":[')
  expect(printed).toContain('"isSuperAdmin":false')
  expect(printed).toContain('"status":"REVOKED"')
  expect(printed).toContain('"status":"UPLOADED"')
  expect(printed).toContain('"received":true')
  expect(printed).toContain('"hardCap":true')
})

test('the commands of docs/auditors.md agree with the read models', { timeout: RUN_MS_MAX }, async () => {
  const printed = await runDocument('docs/auditors.md', run)
  expect(printed).toContain('The read model agrees with the ledger.')
  expect(printed).toContain('"matches": true')
  expect(printed).toMatch(/ok +since .*\nverified\n/)
  const hashes = [...printed.matchAll(/^credit-balances \w+ ([0-9a-f]{64})$/gm)].map(([, hash]) => hash)
  expect(hashes).toHaveLength(2)
  expect(hashes[1]).toBe(hashes[0])
})

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
