import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openBooks } from '../crash/installationBooks.ts'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { PATIENCE } from '../support/time/patience.ts'
import { until } from '../support/time/until.ts'
import { asInstalled, runDocument, runnableBlocks, runProgram, runShell, type SnippetRun } from './snippets.ts'

const PIP_MS_MAX = 90_000 * PATIENCE
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
})
afterAll(() => sandbox.stop())

test('the Python call of docs/callers.md is answered', async ({ skip }) => {
  const packages = await temporaryFolder()
  // Compiling all of the packages would take longer than the call.
  const args = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--target', packages, 'openai']
  await promisify(execFile)('python3', args, { timeout: PIP_MS_MAX }).catch((error: Error) =>
    skip(`python3 with the package openai is not available: ${error.message.slice(0, 300)}`),
  )
  const [code = ''] = runnableBlocks('docs/callers.md', 'python', run)
  const printed = await runProgram('python3', ['-c', code], { ...run, env: { ...run.env, PYTHONPATH: packages } })
  expect(printed).toContain('This is the Tollgate sandbox')
})

test('the operations of docs/admins.md all succeed', async () => {
  await until('the credit pack of the demo has a price at the payment provider', async () => {
    const { creditPacks } = await ask<{ creditPacks: unknown[] }>('{ creditPacks { id } }', sandbox.demo.adminToken)
    return creditPacks.length > 0
  })
  const printed = await runDocument('docs/admins.md', run)
  expect(printed).not.toContain('"errors":[')
  expect(printed).toContain('"isSuperAdmin":false')
  expect(printed).toContain('"status":"REVOKED"')
  expect(printed).toContain('"status":"UPLOADED"')
  expect(printed).toContain('"received":true')
  expect(printed).toContain('"hardCap":true')
})

test('the commands of docs/auditors.md agree with the read models', async () => {
  const books = openBooks(await sandbox.databaseUrl(), sandbox.demo.companyId)
  onTestFinished(() => books.close())
  // The page says so: a payment that is still on its way to the ledger is a difference.
  await until('the payments of docs/admins.md are on the ledger', arePaymentsOnLedger)
  await books.settled()
  await until('the log has its first checkpoint', async () => {
    return (await fetch(`${sandbox.demo.backendUrl}/log/checkpoint`)).ok
  })
  const blocks = runnableBlocks('docs/auditors.md', 'sh', run)
  const printed = await runShell(blocks.slice(0, -1), run)
  expect(printed).toContain('The read model agrees with the ledger.')
  expect(printed).toContain('"matches": true')
  expect(printed).toMatch(/ok +since .*\nverified\n/)

  // The call of the page has to be part of both hashes.
  await books.settled()
  const proven = await runShell(blocks.slice(-1), run)
  const hashes = [...proven.matchAll(/^credit-balances \w+ ([0-9a-f]{64})$/gm)].map(([, hash]) => hash)
  expect(hashes).toHaveLength(2)
  expect(hashes[1]).toBe(hashes[0])
})

async function arePaymentsOnLedger(): Promise<boolean> {
  const month = new Date().toISOString().slice(0, 7)
  const query = `{ reconciliation(month: "${month}") { matches } }`
  const { reconciliation } = await ask<{ reconciliation: { matches: boolean } }>(query, sandbox.demo.superAdminToken)
  return reconciliation.matches
}

async function ask<Data>(query: string, token: string): Promise<Data> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${sandbox.demo.backendUrl}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  })
  return ((await answer.json()) as { data: Data }).data
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
