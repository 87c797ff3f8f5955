import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { specificationOf } from '../../test/support/cases/deciderSpecification.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { NO_USAGE, type Usage } from '../pricing/usage.ts'
import { type LedgerCommand, ledgerDecider, TOKENS_PER_CALL_MAX } from './decider.ts'

const given = specificationOf(ledgerDecider)

const call = {
  companyId: '11111111-1111-4111-8111-111111111111',
  callId: '44444444-4444-4444-8444-444444444444',
  keyId: '55555555-5555-4555-8555-555555555555',
  alias: 'svc/chat-default',
  endpoint: '/chat/completions',
  streamed: true,
  admittedAt: '2026-03-01T09:59:58.000Z',
  finishedAt: '2026-03-01T10:00:00.000Z',
  label: 'team-a',
  provider: 'first',
  costMicros: '12',
  costCurrency: 'usd',
}
const rates = { input: '1000000', output: '2500000' }
const price = { bookId: '66666666-6666-4666-8666-666666666666', rates }
const usage: Usage = { ...NO_USAGE, tokensIn: 10, tokensOut: 3, parts: { cachedInput: 4, cacheWrite: 6 } }

type ChargeCall = Extract<LedgerCommand, { type: 'ChargeCall' }>
const charge = (used: Usage = usage, changes: Partial<ChargeCall> = {}): ChargeCall => ({
  ...{ type: 'ChargeCall', call, usage: used, price },
  ...{ requestedTier: null, mostMicros: null, abandoned: false },
  ...changes,
})
const charged: Extract<LedgerEvent, { type: 'CallCharged' }> = {
  type: 'CallCharged',
  data: {
    ...{ ...call, tokensIn: 10, tokensOut: 3, tokensCached: 4, tokensCacheWrite: 6, amountMicros: '18', price },
    lines: [
      { kind: 'cachedInput', count: 4, rate: '1000000', amountMicros: '4' },
      { kind: 'cacheWrite', count: 6, rate: '1000000', amountMicros: '6' },
      { kind: 'output', count: 3, rate: '2500000', amountMicros: '8' },
    ],
    ...{ serviceTier: null, tierFactor: '1000000', abandoned: false },
  },
}

describe('the charge of a call', () => {
  test('costs its tokens, rounded up, and records the lines and the price that it was computed from', () => {
    given().when(charge()).then(charged)
  })

  test('may be zero, without lines', () => {
    const unused = { tokensIn: 0, tokensOut: 0, tokensCached: null, tokensCacheWrite: null }
    given()
      .when(charge(NO_USAGE))
      .then({ type: 'CallCharged', data: { ...charged.data, ...unused, amountMicros: '0', lines: [] } })
  })

  test('above the most that it may be is reduced by a line of its own', () => {
    const beyond = { kind: 'beyondBound', count: 0, rate: '0', amountMicros: '-1' }
    const lines = [...(charged.data.lines ?? []), beyond]
    given()
      .when(charge(usage, { mostMicros: 17n }))
      .then({ type: 'CallCharged', data: { ...charged.data, amountMicros: '17', lines } })
    given()
      .when(charge(usage, { mostMicros: 18n }))
      .then(charged)
  })

  test('records the reported service tier with the factor that was charged, and that the caller had left', () => {
    const tiers = { ...price, tierFactors: { priority: '2000000' } }
    const served = { ...NO_USAGE, tokensIn: 10, serviceTier: 'priority' }
    const recorded = (tierFactor: string, amountMicros: string): LedgerEvent => ({
      type: 'CallCharged',
      data: {
        ...charged.data,
        ...{ tokensOut: 0, tokensCached: null, tokensCacheWrite: null, price: tiers, amountMicros, tierFactor },
        lines: [{ kind: 'input', count: 10, rate: '1000000', amountMicros }],
        ...{ serviceTier: 'priority', abandoned: true },
      },
    })
    given()
      .when(charge(served, { price: tiers, requestedTier: 'priority', abandoned: true }))
      .then(recorded('2000000', '20'))
    given()
      .when(charge(served, { price: tiers, requestedTier: null, abandoned: true }))
      .then(recorded('1000000', '10'))
  })

  test('counts both kinds of cache writes as written to the cache', () => {
    const written = { ...NO_USAGE, tokensIn: 10, parts: { cacheWrite: 2, cacheWrite1h: 3 } }
    const [event] = ledgerDecider.decide(charge(written), ledgerDecider.initialState())
    expect(event?.data).toMatchObject({ tokensCached: null, tokensCacheWrite: 5 })
  })

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, TOKENS_PER_CALL_MAX + 1])(
    'of %s tokens or units is refused: no provider counts so',
    (count) => {
      given()
        .when(charge({ ...NO_USAGE, tokensIn: count }))
        .thenThrows('INVALID', /tokens/)
      given()
        .when(charge({ ...NO_USAGE, tokensOut: count }))
        .thenThrows('INVALID', /tokens/)
      given()
        .when(charge({ ...NO_USAGE, units: { search: count } }))
        .thenThrows('INVALID', /units/)
    },
  )

  test.each([
    ['more cached tokens than input tokens', { cachedInput: 11 }],
    ['more cached and newly cached tokens than input tokens', { cachedInput: 5, cacheWrite: 3, cacheWrite1h: 3 }],
    ['more reasoning tokens than output tokens', { reasoning: 4 }],
    ['a negative number of cached tokens', { cachedInput: -1, cacheWrite: 6 }],
    ['half a newly cached token', { cachedInput: 4, cacheWrite: 0.5 }],
  ])('with %s is refused', (_, parts) => {
    given()
      .when(charge({ ...usage, parts }))
      .thenThrows('INVALID', /call/)
  })

  test.each([
    ['a cost without a currency', { costCurrency: null }],
    ['a currency without a cost', { costMicros: null }],
  ])('with %s is refused', (_, changes) => {
    given()
      .when(charge(usage, { call: { ...call, ...changes } }))
      .thenThrows('INVALID', /call/)
  })

  test('of the most tokens at the highest rate matches its schema', () => {
    const rate = AMOUNT_MICROS_MAX.toString()
    const dearest = { ...price, rates: { input: rate, output: rate } }
    const most = { tokensIn: TOKENS_PER_CALL_MAX, tokensOut: TOKENS_PER_CALL_MAX }
    const line = { count: TOKENS_PER_CALL_MAX, rate, amountMicros: '100000000000000000000' }
    const lines = ['input', 'output'].map((kind) => ({ kind, ...line }))
    const cached = { tokensCached: null, tokensCacheWrite: null }
    given()
      .when(charge({ ...NO_USAGE, ...most }, { price: dearest }))
      .then({
        type: 'CallCharged',
        data: { ...charged.data, ...most, ...cached, amountMicros: '200000000000000000000', price: dearest, lines },
      })
  })

  test('does not depend on the balance: an empty ledger does not refuse it', () => {
    given(charged).when(charge()).then(charged)
  })
})
