import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { startNpm } from '../support/processes/npmProcess.ts'
import { reusablePorts } from '../support/processes/reusablePorts.ts'

/** Each with its port and what it answers about its health; the gateway has no such route. */
const SERVICES: [name: string, portSetting: string, health: string | null][] = [
  ['gateway', 'GATEWAY_PORT', null],
  ['backend', 'BACKEND_PORT', '/health'],
  ['ai', 'AI_PORT', '/health'],
  ['projector', 'PROJECTOR_PORT', '/health'],
  ['reactor', 'REACTOR_PORT', '/health'],
  ['sandbox', 'SANDBOX_PORT', '/health'],
]

describe('a service started alone on the engines of a running installation', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
  })
  afterAll(() => installation.stop())

  test.each(SERVICES)('%s', async (name, portSetting, health) => {
    const [port] = await reusablePorts(1)
    const { env, demo } = installation
    const settings = {
      ...env,
      [portSetting]: String(port),
      // The installation's own sandbox has the other one.
      SANDBOX_SMTP_PORT: '0',
      DATABASE_URL: await installation.databaseUrl(),
      SANDBOX: '1',
    }
    const service = startService(name, settings)
    await service.line(/"msg":"ready"/)

    const answerTo = (path: string, token?: string) =>
      fetch(`http://127.0.0.1:${port}${path}`, token ? { headers: { authorization: `Bearer ${token}` } } : {})
    if (health) expect((await answerTo(health)).status).toBe(200)
    expect((await answerTo('/metrics')).status).toBe(401)
    expect((await answerTo('/metrics', 'another token')).status).toBe(401)
    const metrics = await answerTo('/metrics', demo.internalToken)
    expect(metrics.status).toBe(200)
    expect(await metrics.text()).toContain('process_cpu_seconds_total')

    process.kill(service.pid, 'SIGTERM')
    expect(await service.exited).toEqual({ code: 0, signal: null })
    expect(await service.group()).toEqual([])
  })

  test('the gateway alone bills to the same ledger', async () => {
    const [port] = await reusablePorts(1)
    const { env, demo } = installation
    const settings = {
      ...env,
      GATEWAY_PORT: String(port),
      DATABASE_URL: await installation.databaseUrl(),
      SANDBOX: '1',
    }
    const service = startService('gateway', settings)
    await service.line(/"msg":"ready"/)
    const headers = { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] })
    const url = `http://127.0.0.1:${port}/llm/v1/chat/completions`
    const answer = await fetch(url, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.get('x-credits-charged'))).toBeGreaterThan(0)
    const usage = (await (await fetch(`${demo.gatewayUrl}/usage`, { headers })).json()) as {
      totals: { requests: number }
    }
    expect(usage.totals.requests).toBe(1)
    service.signalGroup('SIGINT')
    expect(await service.exited).toEqual({ code: 0, signal: null })
  })
})

test.each(SERVICES)('%s alone without DATABASE_URL: one line that names it, exit code 1', async (name) => {
  const service = startService(name, {})
  expect(await service.exited).toEqual({ code: 1, signal: null })
  expect(service.lines).toEqual([expect.stringMatching(/DATABASE_URL is not set/)])
})

function startService(name: string, settings: Record<string, string>) {
  const service = startNpm(['run', `start:${name}`], { settings })
  onTestFinished(async () => {
    if (!service.exit) service.signalGroup('SIGKILL')
    await service.exited
  })
  return service
}
