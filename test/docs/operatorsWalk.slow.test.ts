import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeInstallation } from '../support/harness/installation.ts'
import { startScriptedProvider } from '../support/parties/scriptedProvider.ts'
import { asInstalled, runnableBlocks, runShell } from './snippets.ts'

const PAGE = 'docs/operators.md'
const PROVIDER_KEY = 'sk-of-the-provider'

test('docs/operators.md leads from an empty folder to a charged call of a real provider', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-walk-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const provider = await startScriptedProvider()
  onTestFinished(() => provider.close())
  expect(await readdir(folder)).toEqual([])

  const here = { replaced: inFolder(folder, provider.baseUrl), env: { OPENAI_API_KEY: PROVIDER_KEY } }
  // The page starts the program after the settings and goes on in a second terminal.
  const settings = runnableBlocks(PAGE, 'sh', here).slice(0, 2)
  const installation = await makeInstallation(settingsIn(await runShell([...settings, 'env -0'], here)))
  onTestFinished(() => installation.stop())
  const start = installation.begin()
  await start.line(/^Tollgate is ready/)
  await start.line(/^ {2}prices: Publish a price with publishPriceBook for acme\/fast/)

  const there = {
    replaced: [...here.replaced, ...asInstalled(installation.dataDir, installation.env)],
    env: installation.env,
  }
  const printed = await runShell(runnableBlocks(PAGE, 'sh', there).slice(2), there)
  expect(printed).not.toContain('"errors"')
  expect(printed).toContain('"object":"chat.completion"')
  expect(printed).toContain('The read model agrees with the ledger.')
  // 1,000 tokens at 500 and 500 at 1,500 credits for a million.
  expect(printed).toContain('98.75')
  expect(printed).toContain('{"name":"providers","done":true,')
  expect(printed).toContain('{"name":"prices","done":true,')
  expect(printed).toContain('{"name":"webhook","done":false,')
  const call = provider.calls.find(({ path }) => path.endsWith('/chat/completions'))
  expect(call?.headers.authorization).toBe(`Bearer ${PROVIDER_KEY}`)
})

/** The files that the page writes go to this folder, and the scripted provider stands in for the one that it names. */
function inFolder(folder: string, baseUrl: string): (readonly [string, string])[] {
  return [
    ['$PWD/', ''],
    ['. ./', '. '],
    ['providers.json', join(folder, 'providers.json')],
    ['tollgate.env', join(folder, 'tollgate.env')],
    ['https://api.openai.com/v1', baseUrl],
  ]
}

function settingsIn(printed: string): Record<string, string> {
  const own =
    /^(SANDBOX|PROVIDERS_FILE|OPENAI_API_KEY|JWT_SECRET|INTERNAL_TOKEN|STRIPE_\w+|SMTP_URL|PUBLIC_URL|LOG_\w+)=(.*)$/
  return Object.fromEntries(
    printed.split('\0').flatMap((pair) => {
      const [, name, value] = own.exec(pair) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
}
