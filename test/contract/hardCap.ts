import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { deltaMicros } from '../../domain/ledger/balance.ts'
import type { HoldTable } from '../../platform/sharedState/holds/port.ts'
import { seededRandom } from '../support/cases/seededRandom.ts'
import { CHAT, call, chatBody, sending } from '../support/harness/gatewayClient.ts'
import { type GatewayHarness, startGatewayHarness, type TestKey } from '../support/harness/gatewayHarness.ts'
import { type SecondGateway, startSecondGateway } from '../support/harness/secondGateway.ts'
import {
  completion,
  DONE,
  finishes,
  type Script,
  says,
  streamed,
  usageBlock,
  whole,
} from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

/** What the suite needs from an engine: a table for each of several gateways. */
export type HardCapHarness = {
  open(gateway: GatewayHarness): Promise<HoldTable>
  close(): Promise<void>
}

const GATEWAYS = 3
const COST = 1.25
/** 1,000 tokens in and 500 out are within it, and it is within 1.4 credits. */
const BODY = chatBody({ messages: [{ role: 'user', content: 'x'.repeat(1_000) }], max_tokens: 500 })
const BOUND = 1.4

const FAILS = 'fails'
const random = seededRandom(1)
/** Answers after a moment, as it was asked, or fails. */
const someProvider: Script = async (response, received) => {
  const request = JSON.parse(received.body.toString())
  await wait(random.between(5, 35))
  if (request.user === FAILS) return whole({ error: { message: 'no' } }, { status: 500 })(response, received)
  if (request.stream) return streamed(says('Good day.'), finishes(), usageBlock(), DONE)(response, received)
  return whole(completion())(response, received)
}

/** The lowest that the balance ever was, in credits. */
export function lowestBalance(ledger: readonly LedgerEvent[]): number {
  let balance = 0n
  let lowest = 0n
  for (const event of ledger) {
    balance += deltaMicros(event)
    if (balance < lowest) lowest = balance
  }
  return Number(lowest) / 1e6
}

export function hardCapContract(name: string, start: () => Promise<HardCapHarness>): void {
  describe(`a hard cap over ${GATEWAYS} gateways that hold in ${name}`, () => {
    let engine: HardCapHarness
    let harness: GatewayHarness
    const sisters: SecondGateway[] = []
    let companyId: string
    let key: TestKey

    beforeAll(async () => {
      engine = await start()
      harness = await startGatewayHarness()
      harness.provider.always(someProvider)
      companyId = await harness.registerCompany({ credits: '40' })
      await harness.setHardCap(companyId, true)
      key = await harness.mintKey(companyId)
      // Each sees the ledger later than the one before.
      for (let n = 0; n < GATEWAYS; n++) {
        sisters.push(await startSecondGateway(harness, { holds: await engine.open(harness), lagMs: 40 * n }))
      }
    })
    afterAll(async () => {
      for (const second of sisters) await second.drain()
      await engine?.close()
      await harness?.close()
    })

    const url = (n: number) => sisters[n % GATEWAYS]?.url ?? ''
    const plain = async (n: number) => (await call(url(n), CHAT, { key: key.raw, body: BODY })).status
    const stream = async (n: number) =>
      (await call(url(n), CHAT, { key: key.raw, body: { ...BODY, stream: true } })).status
    const failing = async (n: number) =>
      (await call(url(n), CHAT, { key: key.raw, body: { ...BODY, user: FAILS } })).status
    const tool = async (n: number) => {
      const accept = 'application/json, text/event-stream'
      const params = { name: 'chat', arguments: BODY }
      const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const answer = await call(url(n), '/llm/v1/mcp', { key: key.raw, headers: { accept }, body: rpc })
      if (!answer.json.result.isError) return 200
      return JSON.parse(answer.json.result.content[0].text).code === 'INSUFFICIENT_CREDITS' ? 402 : 503
    }
    const leaving = async (n: number) => {
      const request = sending(url(n), CHAT, { key: key.raw, body: BODY })
      await wait(random.between(0, 30))
      request.leave()
      return 'left' as const
    }
    const kinds = [plain, stream, tool, failing, plain, stream, tool, leaving]
    const ledger = () => harness.ledgerOf(companyId)
    const charges = async () => (await ledger()).filter(({ type }) => type === 'CallCharged').length

    test('calls of every kind, all at once, on a balance for a few of them: never below zero, and nothing stays held', async () => {
      const wave = () => Promise.all(Array.from({ length: 60 }, (_, n) => kinds[n % kinds.length]?.(n)))
      const outcomes = (await wave()).concat(await wave())
      expect(outcomes).toContain(200)
      expect(outcomes).toContain(402)
      expect(lowestBalance(await ledger())).toBe(0)
      // Failed and abandoned calls hold nothing any more: single calls are admitted until the balance is used up.
      const last = Math.floor((40 - BOUND) / COST) + 1
      await until('the balance is used up', async () => {
        for (let n = 0; n < GATEWAYS; n++) await plain(n)
        return (await charges()) >= last
      })
      for (let n = 0; n < GATEWAYS; n++) expect(await plain(n)).toBe(402)
      expect(await charges()).toBe(last)
      expect(lowestBalance(await ledger())).toBe(0)
    })

    test('a budget that two rotated keys share is never exceeded either, and is used up', async () => {
      await harness.grant(companyId, '100')
      const budget = { amountMicros: 20_000_000n, period: 'MONTH' } as const
      const first = await harness.mintKey(companyId, { budget })
      const rotated = await harness.mintKey(companyId, { rotatedFrom: first.keyId })
      const family = [first, rotated]
      const ask = async (n: number) => {
        const { raw } = family[n % 2] as TestKey
        const { status, json } = await call(url(n), CHAT, { key: raw, body: BODY })
        return status === 402 ? json.error.code : status
      }
      const isOurs = ({ data }: LedgerEvent) => 'keyId' in data && family.some(({ keyId }) => keyId === data.keyId)
      const spent = async () => (await ledger()).filter(isOurs).reduce((sum, event) => sum - deltaMicros(event), 0n)
      await until('keys and credits are known to all gateways', async () => {
        const requests = Array.from({ length: GATEWAYS * 2 }, (_, n) =>
          call(url(n), '/llm/v1/usage', { key: family[n % 2]?.raw ?? null }),
        )
        return (await Promise.all(requests)).every(({ status, json }) => status === 200 && json.balance.credits >= 100)
      })
      const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)))
      expect(outcomes).toContain(200)
      expect(outcomes).toContain('KEY_BUDGET_EXCEEDED')
      expect(await spent()).toBeLessThanOrEqual(budget.amountMicros)
      const last = BigInt(Math.floor((20 - BOUND) / COST) + 1) * 1_250_000n
      await until('the budget is used up', async () => {
        for (let n = 0; n < GATEWAYS; n++) await ask(n)
        return (await spent()) >= last
      })
      for (let n = 0; n < GATEWAYS; n++) expect(await ask(n)).toBe('KEY_BUDGET_EXCEEDED')
      expect(await spent()).toBe(last)
    })
  })
}
