import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GRANT_SOURCES, type LedgerEvent } from '../../contracts/events/ledger.ts'
import { WITHOUT_EXPIRY } from '../../contracts/events/lotTerms.ts'
import { propertyRuns } from '../../test/support/cases/propertyRuns.ts'
import { AMOUNT_MICROS_MAX } from '../credits.ts'
import { fold } from '../decider.ts'
import { recomputedCharge } from '../pricing/recordedCharge.ts'
import { INPUT_PARTS, OUTPUT_PARTS } from '../pricing/tokenKinds.ts'
import { boundedUsage, type UnitCounts } from '../pricing/usage.ts'
import { balanceMicros } from './balance.ts'
import { decide, type LedgerCommand, ledgerDecider, ledgerEventKey, TOKENS_PER_CALL_MAX } from './decider.ts'

const companyId = '11111111-1111-4111-8111-111111111111'
const at = '2026-03-01T10:00:00.000Z'

/** Few ids, so that repetitions and collisions are frequent. */
const someId = (kind: string) => fc.constantFrom(...'12345').map((n) => `${kind}${n}000000-0000-4000-8000-000000000000`)
const amount = fc.bigInt({ min: 1n, max: AMOUNT_MICROS_MAX })
const rate = fc.bigInt({ min: 0n, max: AMOUNT_MICROS_MAX }).map(String)
const tokens = fc.nat({ max: TOKENS_PER_CALL_MAX })

const callFacts = fc.record({
  companyId: fc.constant(companyId),
  callId: someId('ca'),
  keyId: someId('be'),
  alias: fc.constantFrom('svc/chat-default', 'svc/chat-cheap'),
  endpoint: fc.constant('/chat/completions'),
  streamed: fc.boolean(),
  admittedAt: fc.constant(at),
  finishedAt: fc.constant(at),
  label: fc.option(fc.string()),
  provider: fc.option(fc.string()),
  costMicros: fc.constant('7'),
  costCurrency: fc.constant('usd'),
  tokensCached: fc.constant(null),
  tokensCacheWrite: fc.constantFrom(null, 0),
})
const PARTS = [...INPUT_PARTS, ...OUTPUT_PARTS]
const rates = fc
  .tuple(rate, rate, fc.dictionary(fc.constantFrom(...PARTS), rate))
  .map(([input, output, others]) => ({ ...others, input, output }))
const price = fc.record(
  {
    bookId: someId('b0'),
    rates,
    inputTiers: fc
      .record({ tokens: fc.constantFrom(1_000, 50_000_000), inclusive: fc.boolean(), rates })
      .map((tier) => [tier]),
    unitRates: rate.map((search) => ({ search })),
    tierFactors: rate.map((factor) => ({ priority: (BigInt(factor) % 100_000_000n).toString() })),
    callMicros: rate,
  },
  { requiredKeys: ['bookId', 'rates', 'unitRates'] },
)
const tier = fc.constantFrom(null, 'default', 'priority')
const usage = fc
  .record({
    ...{ tokensIn: tokens, tokensOut: tokens, parts: fc.dictionary(fc.constantFrom(...PARTS), tokens) },
    ...{ units: fc.constantFrom<UnitCounts>({}, { search: 3 }), serviceTier: tier },
  })
  .map((used) => boundedUsage(used))
const booking = { companyId: fc.constant(companyId), amountMicros: amount, reason: fc.string(), at: fc.constant(at) }

/** A charge must be found before it can be reversed, so a reversal names the call and uses the charge on the ledger. */
type Ask = LedgerCommand | { readonly type: 'ReverseIfCharged'; readonly callId: string; readonly reason: string }

const ask: fc.Arbitrary<Ask> = fc.oneof(
  fc.record({
    ...booking,
    type: fc.constant('GrantCredits' as const),
    grantId: someId('aa'),
    source: fc.constantFrom(...GRANT_SOURCES),
    lot: fc.constantFrom(WITHOUT_EXPIRY, { ...WITHOUT_EXPIRY, priority: 1, expiresAt: '2027-01-01T00:00:00.000Z' }),
  }),
  fc
    .record({
      call: callFacts,
      usage,
      price,
      requestedTier: tier,
      mostMicros: fc.option(amount),
      abandoned: fc.boolean(),
    })
    .map(({ call: { tokensCached: _, tokensCacheWrite: __, ...call }, ...charge }) => ({
      ...{ type: 'ChargeCall' as const, ...charge, call },
    })),
  fc.record({
    type: fc.constant('FailCall' as const),
    call: callFacts,
    reason: fc.string(),
    tokensAbandoned: fc.option(tokens),
  }),
  fc.record({ type: fc.constant('ReverseIfCharged' as const), callId: someId('ca'), reason: fc.string() }),
  fc.record({ ...booking, type: fc.constant('RefundCredits' as const), refundId: someId('ee'), grantId: someId('aa') }),
  fc
    .record({
      ...booking,
      type: fc.constant('AdjustCredits' as const),
      adjustmentId: someId('ad'),
      isTaken: fc.boolean(),
    })
    .map(({ isTaken, amountMicros, ...adjustment }) => ({
      ...{ ...adjustment, by: companyId, corrects: null, amountMicros: isTaken ? -amountMicros : amountMicros },
    })),
)

/** Like a store: the first event with an id stays, every other one is a repetition. */
function book(asks: readonly Ask[]): { ledger: LedgerEvent[]; sent: LedgerEvent[] } {
  const stored = new Map<string, LedgerEvent>()
  const sent: LedgerEvent[] = []
  for (const request of asks) {
    const charge = request.type === 'ReverseIfCharged' ? stored.get(`call:${request.callId}`) : undefined
    if (request.type === 'ReverseIfCharged' && charge?.type !== 'CallCharged') continue
    const command: LedgerCommand =
      request.type !== 'ReverseIfCharged'
        ? request
        : { type: 'ReverseCharge', charge: (charge as Charged).data, reason: request.reason, at }
    for (const event of decide(command)) {
      sent.push(event)
      const key = ledgerEventKey(event)
      if (!stored.has(key)) stored.set(key, event)
    }
  }
  return { ledger: [...stored.values()], sent }
}

type Charged = Extract<LedgerEvent, { type: 'CallCharged' }>

function ofType<Type extends LedgerEvent['type']>(ledger: readonly LedgerEvent[], type: Type) {
  return ledger.filter((event): event is Extract<LedgerEvent, { type: Type }> => event.type === type)
}

const sum = (events: ReadonlyArray<{ data: { amountMicros: string } }>) =>
  events.reduce((total, event) => total + BigInt(event.data.amountMicros), 0n)

const holds = (check: (ledger: LedgerEvent[], sent: LedgerEvent[]) => void) =>
  fc.assert(
    fc.property(fc.array(ask, { maxLength: 60 }), (asks) => {
      const { ledger, sent } = book(asks)
      check(ledger, sent)
    }),
    { numRuns: propertyRuns({ few: 300, many: 1_500 }) },
  )

describe('for any bookings, in any order and repeated any number of times', () => {
  test('the balance is grants less charges plus reversals less refunds, with adjustments', () => {
    holds((ledger) => {
      const expected =
        sum(ofType(ledger, 'CreditsGranted')) -
        sum(ofType(ledger, 'CallCharged')) +
        sum(ofType(ledger, 'ChargeReversed')) -
        sum(ofType(ledger, 'CreditsRefunded')) +
        sum(ofType(ledger, 'CreditsAdjusted'))
      expect(balanceMicros(fold(ledgerDecider, ledger))).toBe(expected)
    })
  })

  test('the balance does not depend on the order of the events', () => {
    holds((ledger) => {
      const forwards = fold(ledgerDecider, ledger)
      expect(fold(ledgerDecider, ledger.toReversed())).toEqual(forwards)
    })
  })

  test('a call has one outcome: charged once, or failed, never both', () => {
    holds((ledger, sent) => {
      const outcomes = [...ofType(ledger, 'CallCharged'), ...ofType(ledger, 'CallFailed')]
      const calls = outcomes.map((event) => event.data.callId)
      expect(new Set(calls).size).toBe(calls.length)
      const attempts = [...ofType(sent, 'CallCharged'), ...ofType(sent, 'CallFailed')]
      expect(new Set(calls)).toEqual(new Set(attempts.map((event) => event.data.callId)))
    })
  })

  test('the outcome that was booked first stays', () => {
    holds((ledger, sent) => {
      for (const event of ledger) {
        expect(event).toBe(sent.find((other) => ledgerEventKey(other) === ledgerEventKey(event)))
      }
    })
  })

  test('a charge can be recomputed, line by line, from what it records', () => {
    holds((ledger) => {
      for (const { data } of ofType(ledger, 'CallCharged')) {
        const { amountMicros, lines } = recomputedCharge(data)
        expect(data.amountMicros).toBe(amountMicros.toString())
        expect(data.lines).toEqual(lines.map((line) => ({ ...line, amountMicros: line.amountMicros.toString() })))
      }
    })
  })

  test('a call is reversed at most once, by exactly its charge', () => {
    holds((ledger) => {
      const charges = new Map(ofType(ledger, 'CallCharged').map(({ data }) => [data.callId, data.amountMicros]))
      const reversals = ofType(ledger, 'ChargeReversed')
      expect(new Set(reversals.map(({ data }) => data.callId)).size).toBe(reversals.length)
      for (const { data } of reversals) expect(data.amountMicros).toBe(charges.get(data.callId))
    })
  })

  test('the fold is pure: it changes neither its state nor its events', () => {
    holds((ledger) => {
      const before = structuredClone(ledger)
      let state = Object.freeze(ledgerDecider.initialState())
      for (const event of ledger) state = Object.freeze(ledgerDecider.evolve(state, event))
      expect(ledger).toEqual(before)
    })
  })
})
