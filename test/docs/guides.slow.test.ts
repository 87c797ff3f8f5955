import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Installation, makeInstallation, startInstallation } from '../support/installation.ts'
import { until } from '../support/until.ts'
import { asInstalled, runDocument, runnableBlocks, runProgram, runShell, type SnippetRun } from './snippets.ts'

const START_MS_MAX = 90_000
const RUN_MS_MAX = 120_000
const PIP_MS_MAX = 90_000

let sandbox: Installation
let run: SnippetRun
beforeAll(async () => {
  sandbox = await startInstallation()
  const { dataDir, folder, env, demo } = sandbox
  run = {
    replaced: [...asInstalled(dataDir, env), ['cv.txt', join(folder, 'cv.txt')]],
    env: { DATA_DIR: dataDir, TOLLGATE_KEY: demo.apiKey },
  }
}, START_MS_MAX)
afterAll(() => sandbox.stop(), START_MS_MAX)

test('the Python call of the README is answered', { timeout: RUN_MS_MAX }, async ({ skip }) => {
  const packages = await temporaryFolder()
  await promisify(execFile)('python3', ['-m', 'pip', 'install', '--quiet', '--target', packages, 'openai'], {
    timeout: PIP_MS_MAX,
  }).catch((error: Error) => skip(`python3 with the package openai is not available: ${error.message.slice(0, 300)}`))
  const [code = ''] = runnableBlocks('README.md', 'python', run)
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
  expect(printed).not.toContain('"errors"')
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
  const hashes = [...printed.matchAll(/^credit-balances \w+ ([0-9a-f]{64})$/gm)].map(([, hash]) => hash)
  expect(hashes).toHaveLength(2)
  expect(hashes[1]).toBe(hashes[0])
})

test('docs/operators.md leads from nothing to a charged call', { timeout: RUN_MS_MAX }, async () => {
  const folder = await temporaryFolder()
  const here = { replaced: inFolder(folder), env: { OPENAI_API_KEY: 'a key' } }
  // The page starts the program after the settings and goes on in a second terminal.
  const settings = runnableBlocks('docs/operators.md', 'sh', here).slice(0, 2)
  const real = await makeInstallation(settingsIn(await runShell([...settings, 'env -0'], here)))
  onTestFinished(() => real.stop())
  await real.begin().line(/^Tollgate is ready/)

  const there = { replaced: [...inFolder(folder), ...asInstalled(real.dataDir, real.env)], env: real.env }
  const printed = await runShell(runnableBlocks('docs/operators.md', 'sh', there).slice(2), there)
  expect(printed).not.toContain('"errors"')
  expect(printed).toContain('"object":"chat.completion"')
  expect(printed).toContain('The read model agrees with the ledger.')
})

/** The files that the page writes go to this folder, and the sandbox stands in for the provider that it names. */
function inFolder(folder: string): (readonly [string, string])[] {
  return [
    ['$PWD/', ''],
    ['. ./', '. '],
    ['providers.json', join(folder, 'providers.json')],
    ['tollgate.env', join(folder, 'tollgate.env')],
    ['https://api.openai.com/v1', `${sandbox.demo.sandboxUrl}/v1`],
  ]
}

function settingsIn(printed: string): Record<string, string> {
  const own = /^(SANDBOX|PROVIDERS_FILE|OPENAI_API_KEY|JWT_SECRET|INTERNAL_TOKEN|STRIPE_\w+|SMTP_URL)=(.*)$/
  return Object.fromEntries(
    printed.split('\0').flatMap((pair) => {
      const [, name, value] = own.exec(pair) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-docs-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
