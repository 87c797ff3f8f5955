import { describe, expect, test } from 'vitest'
import type { CallFacts, LedgerEvent } from '../../contracts/events/ledger.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { charged as chargedCall } from '../../test/support/events/ledgerEvents.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { fold } from '../decider.ts'
import { balanceMicros } from './balance.ts'
import type { CorrectedEntry } from './correction.ts'
import { type LedgerCommand, ledgerDecider, ledgerEventKey } from './decider.ts'

const given = specificationOf(ledgerDecider)

const companyId = '11111111-1111-4111-8111-111111111111'
const grantId = '22222222-2222-4222-8222-222222222222'
const adjustmentId = '77777777-7777-4777-8777-777777777777'
const userId = '88888888-8888-4888-8888-888888888888'
const refundId = '33333333-3333-4333-8333-333333333333'
const at = '2026-03-01T10:00:00.000Z'

const call: CallFacts = {
  companyId,
  callId: '44444444-4444-4444-8444-444444444444',
  keyId: '55555555-5555-4555-8555-555555555555',
  alias: 'svc/chat-default',
  endpoint: '/chat/completions',
  streamed: true,
  admittedAt: '2026-03-01T09:59:58.000Z',
  finishedAt: at,
  label: 'team-a',
  provider: 'first',
  costMicros: '12',
  costCurrency: 'usd',
  tokensCached: 4,
  tokensCacheWrite: 6,
}
const charged = chargedCall(companyId, { ...call, tokensIn: 10, tokensOut: 3, amountMicros: '18' })

const grant = (amountMicros: bigint): LedgerCommand => ({
  type: 'GrantCredits',
  companyId,
  grantId,
  source: 'PACK_PURCHASE',
  amountMicros,
  reason: 'Starter pack',
  at,
})
const refund = (amountMicros: bigint): LedgerCommand => ({
  type: 'RefundCredits',
  companyId,
  refundId,
  grantId,
  amountMicros,
  reason: 'refund of a payment',
  at,
})

const granted: LedgerEvent = {
  type: 'CreditsGranted',
  data: {
    ...{ companyId, grantId, source: 'PACK_PURCHASE', amountMicros: '1000000', reason: 'Starter pack' },
    ...{ lot: { priority: 0, expiresAt: null, rollover: null }, grantedAt: at },
  },
}
const failed: LedgerEvent = {
  type: 'CallFailed',
  data: { ...call, reason: 'the caller left the stream', tokensAbandoned: 25 },
}
const reversed: LedgerEvent = {
  type: 'ChargeReversed',
  data: {
    companyId,
    callId: call.callId,
    keyId: call.keyId,
    alias: call.alias,
    amountMicros: '18',
    tokensIn: 10,
    tokensOut: 3,
    admittedAt: call.admittedAt,
    finishedAt: at,
    label: 'team-a',
    provider: 'first',
    costMicros: '12',
    costCurrency: 'usd',
    tokensCached: 4,
    tokensCacheWrite: 6,
    reason: 'found after the caller was told no',
    reversedAt: '2026-03-01T10:00:20.000Z',
  },
}
const adjust = (amountMicros: bigint, corrects: CorrectedEntry | null = null): LedgerCommand => ({
  type: 'AdjustCredits',
  companyId,
  adjustmentId,
  amountMicros,
  reason: 'granted twice',
  by: userId,
  corrects,
  at,
})
const adjusted = (amountMicros: string, corrects: string | null = null, correction: number | null = null) =>
  ({
    type: 'CreditsAdjusted',
    data: {
      ...{ companyId, adjustmentId, amountMicros, reason: 'granted twice', adjustedBy: userId },
      ...{ corrects, correction, adjustedAt: at },
    },
  }) as const
const refunded: LedgerEvent = {
  type: 'CreditsRefunded',
  data: { companyId, refundId, grantId, amountMicros: '400000', reason: 'refund of a payment', refundedAt: at },
}

describe('a grant', () => {
  test('is booked with its exact amount', () => {
    given().when(grant(1_000_000n)).then(granted)
  })

  test.each([0n, -1n, AMOUNT_MICROS_MAX + 1n])('of %s micros is refused', (amount) => {
    given()
      .when(grant(amount))
      .thenThrows('INVALID', /a grant of credits/)
  })
})

test('a failure is recorded and costs nothing', () => {
  given().when({ type: 'FailCall', call, reason: 'the caller left the stream', tokensAbandoned: 25 }).then(failed)
})

test('a reversal returns exactly the charge, and carries the time at which the call was counted', () => {
  given(charged)
    .when({
      type: 'ReverseCharge',
      charge: charged.data,
      reason: 'found after the caller was told no',
      at: '2026-03-01T10:00:20.000Z',
    })
    .then(reversed)
})

describe('a refund', () => {
  test('takes credits back', () => {
    given(granted).when(refund(400_000n)).then(refunded)
  })

  test.each([0n, -1n, AMOUNT_MICROS_MAX + 1n])('of %s micros is refused', (amount) => {
    given()
      .when(refund(amount))
      .thenThrows('INVALID', /a refund of credits/)
  })
})

describe('an adjustment', () => {
  test('adds or takes credits by its sign, and names the person', () => {
    given(granted).when(adjust(5n)).then(adjusted('5'))
    given(granted).when(adjust(-1_000_001n)).then(adjusted('-1000001'))
  })

  test.each([0n, AMOUNT_MICROS_MAX + 1n, -AMOUNT_MICROS_MAX - 1n])('of %s micros is refused', (amount) => {
    given()
      .when(adjust(amount))
      .thenThrows('INVALID', /an adjustment of credits/)
  })

  const entry = (deltaMicros: bigint, correctedMicros = 0n, corrections = 0): CorrectedEntry => ({
    ...{ eventId: grantId, deltaMicros, correctedMicros, corrections, corrects: null },
  })

  test('of an entry counts its corrections', () => {
    given()
      .when(adjust(-60n, entry(100n)))
      .then(adjusted('-60', grantId, 1))
    given()
      .when(adjust(-40n, entry(100n, -60n, 1)))
      .then(adjusted('-40', grantId, 2))
  })

  test('can undo a correction, by naming the same entry', () => {
    given()
      .when(adjust(60n, entry(100n, -60n, 1)))
      .then(adjusted('60', grantId, 2))
  })

  test.each([
    ['more than a grant', -101n, entry(100n)],
    ['more than is left of a grant', -41n, entry(100n, -60n, 1)],
    ['a grant upwards', 1n, entry(100n)],
    ['more than a charge', 19n, entry(-18n)],
    ['a charge that was reversed', 1n, entry(-18n, 18n)],
    ['a charge downwards', -1n, entry(-18n)],
    ['a call that cost nothing', 1n, entry(0n)],
  ])('of %s is refused', (_, amount, corrected) => {
    given()
      .when(adjust(amount, corrected))
      .thenThrows('INVALID', /must stay between 0 and/)
  })

  test('of a correction is refused, with the entry to name instead', () => {
    given()
      .when(adjust(1n, { ...entry(-5n), corrects: refundId }))
      .thenThrows('INVALID', new RegExp(`name the entry ${refundId}`))
  })
})

describe('the balance', () => {
  const balance = (...events: LedgerEvent[]) => balanceMicros(fold(ledgerDecider, events))

  test('is grants less charges plus reversals less refunds, with adjustments', () => {
    expect(balance()).toBe(0n)
    expect(balance(granted, charged)).toBe(999_982n)
    expect(balance(granted, charged, reversed)).toBe(1_000_000n)
    expect(balance(granted, charged, failed, refunded)).toBe(599_982n)
    expect(balance(granted, adjusted('-1000001'), adjusted('3'))).toBe(2n)
  })

  test('may go below zero', () => {
    expect(balance(charged, refunded)).toBe(-400_018n)
  })
})

describe('the key of a ledger event id', () => {
  test('names what is booked, so that booking it again is recognised', () => {
    expect(ledgerEventKey(granted)).toBe(`grant:${grantId}`)
    expect(ledgerEventKey(charged)).toBe(`call:${call.callId}`)
    expect(ledgerEventKey(reversed)).toBe(`reversal:${call.callId}`)
    expect(ledgerEventKey(refunded)).toBe(`refund:${refundId}`)
    expect(ledgerEventKey(adjusted('5'))).toBe(`adjustment:${adjustmentId}`)
  })

  test('is the same for two corrections of an entry made at the same moment', () => {
    expect(ledgerEventKey(adjusted('-5', grantId, 1))).toBe(ledgerEventKey(adjusted('-100', grantId, 1)))
    expect(ledgerEventKey(adjusted('-5', grantId, 1))).not.toBe(ledgerEventKey(adjusted('-5', grantId, 2)))
  })

  test('is the same for a charge and a failure of one call, so that no call has both', () => {
    expect(ledgerEventKey(failed)).toBe(ledgerEventKey(charged))
  })
})
