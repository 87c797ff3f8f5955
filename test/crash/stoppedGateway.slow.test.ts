import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { APPENDS_SILENT_MS } from '../../platform/eventStore/appendsUnderWay.ts'
import { holdPostgresLedger } from '../support/eventStores/heldLedger.ts'
import { CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import { type Installation, startInstallation, UNLIMITED } from '../support/harness/installation.ts'
import { startGatewayProcess } from '../support/processes/gatewayProcess.ts'
import { reusablePorts } from '../support/processes/reusablePorts.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation(UNLIMITED)
})
afterAll(() => installation.stop())

/** As on a host that takes the processor away from all of its guests: the store had no time to answer either. */
test('a gateway that was stopped itself does not refuse calls for a silent store', async () => {
  const [port] = await reusablePorts(1)
  const gateway = await startGatewayProcess(installation, port)
  const chat = () => call(`http://127.0.0.1:${port}/llm/v1`, CHAT, { key: installation.demo.apiKey, body: chatBody() })
  expect((await chat()).status).toBe(200)
  const held = await holdPostgresLedger(await installation.databaseUrl())
  onTestFinished(() => held.release())
  const before = chat()
  await held.anAppendWaits()
  gateway.signalGroup('SIGSTOP')
  const meanwhile = chat()
  await wait(APPENDS_SILENT_MS + 500)
  gateway.signalGroup('SIGCONT')
  // The gateway has taken the second call when its charge waits for the store, or when it has refused it.
  await Promise.race([meanwhile, wait(500)])
  await held.release()
  expect((await before).status).toBe(200)
  expect((await meanwhile).status).toBe(200)
})
