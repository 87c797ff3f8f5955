import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { call, chatBody } from '../../support/harness/gatewayClient.ts'
import { type Installation, startInstallation } from '../../support/harness/installation.ts'
import { startScriptedProvider } from '../../support/parties/scriptedProvider.ts'
import { startNpm } from '../../support/processes/npmProcess.ts'
import { reusablePorts } from '../../support/processes/reusablePorts.ts'
import { until } from '../../support/time/until.ts'

const ALIAS = 'svc/chat-default'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-test-providers-'))
  file = join(folder, 'providers.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const pointTo = (baseUrl: string) =>
  writeFileSync(file, JSON.stringify({ aliases: { [ALIAS]: { providers: [{ name: 'new', baseUrl, model: 'n' }] } } }))

test('SIGHUP reloads the providers of npm start and of a gateway alone, and ends neither', async () => {
  const [first, second] = await Promise.all([startScriptedProvider(), startScriptedProvider()])
  onTestFinished(() => Promise.all([first.close(), second.close()]).then(() => {}))
  pointTo(first.baseUrl)
  const installation = await startInstallation({ PROVIDERS_FILE: file })
  onTestFinished(() => installation.stop())
  const { apiKey, gatewayUrl } = installation.demo
  const chat = async (url: string) => {
    const answer = await call(new URL(url).origin, '/llm/v1/chat/completions', { key: apiKey, body: chatBody() })
    expect(answer.status).toBe(200)
  }

  await chat(gatewayUrl)
  pointTo(second.baseUrl)
  process.kill(await installation.serverPid(), 'SIGHUP')
  await until('the second is asked', () => chat(gatewayUrl).then(() => second.calls.length > 0))

  await gatewayAlone(installation, async (url, lines, pid) => {
    await chat(url)
    process.kill(pid, 'SIGHUP')
    await until('it says so', () => lines.some((line) => line.includes('PROVIDERS_FILE is not set')))
    await chat(url)
  })
})

/** A gateway without PROVIDERS_FILE, which uses the installation's sandbox. */
async function gatewayAlone(
  installation: Installation,
  work: (url: string, lines: readonly string[], pid: number) => Promise<void>,
): Promise<void> {
  const [port] = await reusablePorts(1)
  const { PROVIDERS_FILE: _, ...env } = installation.env
  const settings = { ...env, GATEWAY_PORT: String(port), DATABASE_URL: await installation.databaseUrl(), SANDBOX: '1' }
  const service = startNpm(['run', 'start:gateway'], { settings })
  onTestFinished(async () => {
    if (!service.exit) service.signalGroup('SIGKILL')
    await service.exited
  })
  await service.line(/"msg":"ready"/)
  const gateway = (await service.group()).find(({ command }) => /^\S*node .*gateway\/main\.ts/.test(command))
  if (!gateway) throw new Error('npm runs no gateway')
  await work(`http://127.0.0.1:${port}`, service.lines, gateway.pid)
  process.kill(service.pid, 'SIGTERM')
  expect(await service.exited).toEqual({ code: 0, signal: null })
}
