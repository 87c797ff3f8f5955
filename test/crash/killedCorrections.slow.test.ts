import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Installation, startInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'
import { balanceOf } from './demoCalls.ts'

/** How long after the request the process is killed: about when the append is stored. */
const KILL_MS = 5

test('an adjustment whose answer a kill lost is made once when it is sent again, and a suspension survives', async () => {
  const installation = await startInstallation({ DEMO_CREDITS: '500' })
  onTestFinished(() => installation.stop())
  const { companyId } = installation.demo
  const adjust = `mutation { adjustCredits(companyId: "${companyId}", credits: -7.5, reason: "granted twice") { id } }`
  await ask(installation, `mutation { suspendCompany(id: "${companyId}", reason: "unpaid") { id } }`)
  const lost = ask(installation, adjust).catch(() => null)
  await wait(KILL_MS)
  await installation.kill9()
  await lost
  await installation.startAgain()

  expect(await statusOfChat(installation)).toBe(403)
  const { id } = (await ask(installation, adjust)).data.adjustCredits
  expect((await ask(installation, adjust)).data.adjustCredits.id).toBe(id)
  await until('the balance is 492.5', async () => (await balanceOf(installation)) === 492.5)
  await ask(installation, `mutation { resumeCompany(id: "${companyId}") { id } }`)
  await until('calls are accepted again', async () => (await statusOfChat(installation)) === 200)
})

// biome-ignore lint/suspicious/noExplicitAny: the fields are asserted, not used.
async function ask({ demo }: Installation, query: string): Promise<{ data: any }> {
  const answer = await fetch(`${demo.backendUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.superAdminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return (await answer.json()) as { data: unknown }
}

async function statusOfChat({ demo }: Installation): Promise<number> {
  const answer = await fetch(`${demo.gatewayUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'svc/chat-default', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  await answer.text()
  return answer.status
}
