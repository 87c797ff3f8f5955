import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApiKeyEvent } from '../../../contracts/events/apiKey.ts'
import { hashRawKey } from '../../../platform/secrets/rawKeys.ts'
import {
  billingModeChanged,
  creditLimitChanged,
  hardCapChanged,
  resumed,
  suspended,
} from '../../../test/support/events/controlEvents.ts'
import { AT } from '../../../test/support/events/ledgerEvents.ts'
import { chatBody } from '../../../test/support/harness/gatewayClient.ts'
import { type MemoryGateway, startMemoryGateway } from '../../../test/support/harness/memoryGateway.ts'
import { completion, whole } from '../../../test/support/parties/scriptedProvider.ts'
import { GatewayError } from '../gatewayError.ts'
import type { CallHold } from '../holds/callHold.ts'
import type { CallToHold } from '../holds/callHolds.ts'
import type { LiveKey } from '../views/keys.ts'

const HOLD: CallHold = {
  cover: async (costMicros) => costMicros,
  isSafe: () => true,
  settle: async () => {},
  release: () => {},
}

let gateway: MemoryGateway
let key: LiveKey
let raw: string
/** What the next holds are refused with. */
let refusals: GatewayError[]
let placed: CallToHold[]
/** The waits for a change of the company. */
let waits: object[]
/** The change that the views get during a wait; null if there is none. */
let change: (() => void) | null

beforeAll(async () => {
  gateway = await startMemoryGateway({
    parts: {
      holds: {
        place: async (call) => {
          placed.push(call)
          const refusal = refusals.shift()
          if (refusal) throw refusal
          return HOLD
        },
        callEnded: () => {},
      },
      companyCatchUp: {
        hasCaughtUp: async (_companyId, options = {}) => {
          waits.push(options)
          change?.()
          return change !== null
        },
      },
    },
  })
})
afterAll(() => gateway.close())

beforeEach(() => {
  raw = gateway.mintKey()
  key = gateway.views.keys.find(hashRawKey(raw), Date.now()) as LiveKey
  refusals = []
  placed = []
  waits = []
  change = null
})

const chat = () => {
  gateway.provider.always(whole(completion()))
  return gateway.call('/chat/completions', { key: raw, body: chatBody() })
}

describe('the hold of a company with a hard cap', () => {
  beforeEach(() => gateway.views.companies.apply(hardCapChanged(key.companyId, true)))

  test.each(['insufficientCredits', 'creditLimitExceeded', 'keyBudgetExceeded'] as const)(
    'is placed again after %s if the company was changed',
    async (error) => {
      refusals = [new GatewayError(error, 'refused')]
      change = () => {}
      expect((await chat()).status).toBe(200)
      expect(placed).toHaveLength(2)
      // The views may have caught up since the hold was refused.
      expect(waits).toEqual([{ decidedEarlier: true }])
    },
  )

  test('stays refused if the company was not changed', async () => {
    refusals = [new GatewayError('insufficientCredits', 'refused')]
    expect((await chat()).status).toBe(402)
    expect(placed).toHaveLength(1)
  })

  test('is placed once more only', async () => {
    refusals = Array.from({ length: 2 }, () => new GatewayError('insufficientCredits', 'refused'))
    change = () => {}
    expect((await chat()).status).toBe(402)
    expect(placed).toHaveLength(2)
  })

  test('does not wait for a change if it cannot be checked', async () => {
    refusals = [new GatewayError('unavailable', 'no answer')]
    change = () => {}
    expect((await chat()).status).toBe(503)
    expect(waits).toEqual([])
  })

  test('counts against the budget as changed, not against the one that refused it', async () => {
    const { keyId } = key
    const budget = (period: 'MONTH' | 'TOTAL'): ApiKeyEvent => ({
      type: 'ApiKeyUpdated',
      data: { keyId, budget: { amountMicros: '1', period }, updatedAt: AT },
    })
    gateway.views.keys.apply(budget('MONTH'))
    refusals = [new GatewayError('keyBudgetExceeded', 'refused')]
    change = () => gateway.views.keys.apply(budget('TOTAL'))
    await chat()
    expect(placed.map((call) => call.budget?.period)).toEqual([expect.stringMatching(/^\d{4}-\d\d$/), 'total'])
  })
})

test('a refused call is decided again after a change of its company, and refused unless the change helps', async () => {
  raw = gateway.mintKey({ credits: '0' })
  const { companyId } = gateway.views.keys.find(hashRawKey(raw), Date.now()) as LiveKey
  expect((await chat()).status).toBe(402)
  change = () => {}
  expect((await chat()).status).toBe(402)
  change = () => gateway.views.companies.apply(suspended(companyId))
  expect((await chat()).status).toBe(403)
})

test('tokens are counted for a company that was resumed a moment ago', async () => {
  const { companies } = gateway.views
  const count = async () => {
    gateway.provider.always(whole({ input_tokens: 3 }))
    const headers = { 'anthropic-version': '2023-06-01' }
    return (await gateway.call('/messages/count_tokens', { key: raw, body: chatBody(), headers })).status
  }
  companies.apply(suspended(key.companyId))
  expect(await count()).toBe(403)
  change = () => companies.apply(resumed(key.companyId))
  expect(await count()).toBe(200)
})

describe('the credit limit of a POSTPAID company', () => {
  let companyId: string
  beforeEach(() => {
    raw = gateway.mintKey({ credits: '0' })
    companyId = (gateway.views.keys.find(hashRawKey(raw), Date.now()) as LiveKey).companyId
    gateway.views.companies.apply(billingModeChanged(companyId, 'POSTPAID'))
  })
  const limitTo = (micros: string | null) => gateway.views.companies.apply(creditLimitChanged(companyId, micros))

  test('refuses calls below minus the limit with 402, and not at it', async () => {
    expect((await chat()).status).toBe(200)
    const owedMicros = -gateway.views.balances.balanceMicros(companyId)
    expect(owedMicros).toBeGreaterThan(1n)
    limitTo(String(owedMicros - 1n))
    const { status, json } = await chat()
    expect([status, json.error.type, json.error.code]).toEqual([402, 'insufficient_quota', 'CREDIT_LIMIT_EXCEEDED'])
    limitTo(String(owedMicros))
    expect((await chat()).status).toBe(200)
  })

  test('does not refuse a company whose limit was raised or removed a moment ago', async () => {
    expect((await chat()).status).toBe(200)
    limitTo('1')
    expect((await chat()).status).toBe(402)
    change = () => limitTo(null)
    expect((await chat()).status).toBe(200)
  })
})
