import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type CuttingProxy, startCuttingProxy } from '../support/callers/cuttingProxy.ts'
import type { HeldLedger } from '../support/eventStores/heldLedger.ts'
import { type Answer, CHAT, call, callIdOf, chatBody } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, type HarnessOptions, startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { startSecondGateway } from '../support/harness/secondGateway.ts'
import { DONE, finishes, says, streamed, usageBlock } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function gatewayWith(options: HarnessOptions): Promise<GatewayHarness> {
  const gateway = await startGatewayHarness(options)
  closers.push(gateway.close)
  return gateway
}

async function balanceOf(gateway: GatewayHarness): Promise<number> {
  return (await gateway.call('/llm/v1/usage')).json.balance.credits
}

const typesOf = async (gateway: GatewayHarness, callId: string) =>
  (await gateway.eventsOf(callId)).map(({ type }) => type)

describe('the connection to the store breaks while a charge is on its way', () => {
  test.each(['before commit', 'after commit'] as const)('%s: charged once, and the answer arrives', async (moment) => {
    let proxy: CuttingProxy | null = null
    const gateway = await gatewayWith({
      through: async (databaseUrl) => {
        const url = new URL(databaseUrl)
        proxy = await startCuttingProxy({ host: url.hostname, port: Number(url.port) })
        closers.push(proxy.close)
        url.port = String(proxy.port)
        return url.href
      },
    })
    for (const stream of [false, true]) {
      if (stream) gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
      const cut = (proxy as CuttingProxy | null)?.cutAt('CallCharged', moment)
      const answer = await gateway.chat(chatBody({ stream }))
      await cut
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('Good day.')
      expect(answer.text.endsWith(DONE)).toBe(stream)
      expect(await typesOf(gateway, callIdOf(answer))).toEqual(['CallCharged'])
    }
    expect(await balanceOf(gateway)).toBe(1_000 - 2 * 1.25)
  })
})

describe('the store does not answer within the time that a caller waits', () => {
  /** The store accepts appends and does not answer, so their outcome is unknown. */
  async function silentStore(): Promise<{ gateway: GatewayHarness; held: HeldLedger }> {
    const gateway = await gatewayWith({ appendTimeoutMs: 150, pursuitMs: 250 })
    const held = await gateway.holdLedger()
    closers.push(held.release)
    return { gateway, held }
  }

  /** The charge was stored in time and is reversed, or it was not and the call has failed. */
  const isSettled = (gateway: GatewayHarness, answer: Answer) =>
    until('the call is settled', async () =>
      ['CallFailed', 'CallCharged,ChargeReversed'].includes((await typesOf(gateway, callIdOf(answer))).join()),
    )
  const unsettledIn = ({ runtime }: GatewayHarness) => readdir(join(runtime.config.DATA_DIR, 'unsettled'))

  test('the call is answered 503, recorded on the disk, and costs nothing', async () => {
    const { gateway, held } = await silentStore()
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(503)
    expect(answer.json.error).toMatchObject({ type: 'api_error', code: 'LLM_GATEWAY_UNAVAILABLE' })
    expect(answer.headers['retry-after']).toBeDefined()
    expect(answer.headers['x-credits-charged']).toBeUndefined()
    expect(answer.text).not.toContain('Good day.')
    expect(await typesOf(gateway, callIdOf(answer))).toEqual([])
    expect(await unsettledIn(gateway)).toEqual([`${callIdOf(answer)}.json`])
    await held.release()
    await isSettled(gateway, answer)
    await until('its file is gone', async () => (await unsettledIn(gateway)).length === 0)
    const usage = await gateway.call('/llm/v1/usage')
    expect(usage.json.balance.credits).toBe(1_000)
    expect(usage.json.totals).toEqual({ requests: 1, failures: 1, tokens_in: 0, tokens_out: 0, credits: 0 })
  })

  test('a stream ends with an SSE error, without finish_reason and [DONE], and costs nothing', async () => {
    const { gateway, held } = await silentStore()
    gateway.provider.next(streamed(says('Good day.'), finishes(), usageBlock(), DONE))
    const answer = await gateway.chat(chatBody({ stream: true }))
    expect(answer.text).toContain('LLM_GATEWAY_UNAVAILABLE')
    expect(answer.text).not.toMatch(/"stop"|DONE/)
    await held.release()
    await isSettled(gateway, answer)
    await until('the balance is whole', async () => (await balanceOf(gateway)) === 1_000)
  })

  test('the charge counts against the balance until it is known, and /usage answers', async () => {
    const { gateway, held } = await silentStore()
    const answer = await gateway.chat(chatBody())
    expect(answer.status).toBe(503)
    expect(await balanceOf(gateway)).toBe(1_000 - 1.25)
    await held.release()
    await isSettled(gateway, answer)
    await until('the balance is whole', async () => (await balanceOf(gateway)) === 1_000)
  })

  test('a drain waits for the charge only until its time limit, and the next gateway settles the call', async () => {
    const { gateway, held } = await silentStore()
    const key = { headers: { 'idempotency-key': 'one-call' } }
    const answers = [await gateway.chat(chatBody()), await gateway.chat(chatBody(), key)]
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    await gateway.drain(200)
    expect(await unsettledIn(gateway)).toHaveLength(2)
    await held.release()
    const next = await startSecondGateway(gateway, { holds: gateway.runtime.engines.sharedState.holds })
    closers.push(() => next.drain())
    for (const answer of answers) await isSettled(gateway, answer)
    await until('their files are gone', async () => (await unsettledIn(gateway)).length === 0)
    // On a busy machine its charge may take longer than this gateway waits, too.
    const again = await until('a call is served', async () => {
      const answer = await call(next.url, CHAT, { key: gateway.key.raw, ...key, body: chatBody() })
      return answer.status === 200 && answer
    })
    expect(await typesOf(gateway, callIdOf(again))).toEqual(['CallCharged'])
  })
})
