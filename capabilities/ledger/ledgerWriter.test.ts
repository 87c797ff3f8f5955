import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type CallFacts, ledgerEvents } from '../../contracts/events/ledger.ts'
import { type LedgerCommand, TOKENS_PER_CALL_MAX } from '../../domain/ledger/decider.ts'
import { boundedUsage } from '../../domain/pricing/usage.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { chargeCall } from '../../test/support/events/ledgerCommands.ts'
import { UNATTRIBUTED } from '../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { LedgerWriter } from './ledgerWriter.ts'

const AT = '2026-01-01T00:00:00.000Z'
const ACTOR = { kind: 'apiKey', id: 'key-1' } as const
const companyId = randomUUID()
const call: CallFacts = {
  companyId,
  callId: randomUUID(),
  keyId: randomUUID(),
  alias: 'svc/chat-default',
  endpoint: '/chat/completions',
  streamed: false,
  admittedAt: AT,
  finishedAt: AT,
  ...UNATTRIBUTED,
}
const price = { bookId: randomUUID(), rates: { input: '1000000', output: '1000000' } }
const charge = chargeCall(call, price, { tokensIn: 3, tokensOut: 4 })

let store: MemoryEventStore
let ledger: LedgerWriter
beforeEach(() => {
  store = new MemoryEventStore()
  ledger = new LedgerWriter(new PursuingAppender(store, new ManualClock()))
})

const book = (command: LedgerCommand) => ledger.book(ledger.draft(command), call.callId, ACTOR)
const stored = () => store.stored(`ledger-${companyId}`)

describe('a booking', () => {
  test('of any charge that the ledger decides matches the schema of CallCharged', () => {
    const count = fc.integer({ min: 0, max: TOKENS_PER_CALL_MAX })
    const micros = fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String)
    const rates = fc.record({ input: micros, output: micros, reasoning: micros }, { requiredKeys: ['input', 'output'] })
    const prices = fc.record(
      {
        ...{ bookId: fc.uuid(), rates, callMicros: micros, unitRates: fc.record({ search: micros }) },
        inputTiers: fc.record({ tokens: fc.constant(1_000), inclusive: fc.boolean(), rates }).map((tier) => [tier]),
        tierFactors: fc.record({ priority: fc.integer({ min: 0, max: 100_000_000 }).map(String) }),
      },
      { requiredKeys: ['bookId', 'rates', 'unitRates'] },
    )
    const usages = fc
      .record({
        ...{ tokensIn: count, tokensOut: count, parts: fc.record({ reasoning: count }) },
        ...{ units: fc.record({ search: count }), serviceTier: fc.constantFrom(null, 'priority') },
      })
      .map((usage) => boundedUsage(usage))
    const limits = fc.option(fc.bigInt({ min: 0n, max: 10n ** 24n }))
    fc.assert(
      fc.property(prices, usages, limits, (priceOfTheDay, usage, mostMicros) => {
        const command = { ...chargeCall(call, priceOfTheDay, usage), requestedTier: 'priority', mostMicros }
        const { event } = ledger.draft(command)
        expect(ledgerEvents.CallCharged.schema.safeParse(event.data).error).toBeUndefined()
      }),
    )
  })

  test('of a charge that does not match its schema is refused before it is sent', async () => {
    const draft = ledger.draft({ ...charge, call: { ...call, finishedAt: '2026-01-01T00:00:00Z' } })
    await expect(ledger.book(draft, call.callId, ACTOR)).rejects.toThrow(/CallCharged does not follow its schema/)
    expect(store.sent).toEqual([])
    expect(ledger.inFlight).toBe(0)
  })

  test('has its id before it is sent, and is stored under it with its actor', async () => {
    const draft = ledger.draft(charge)
    expect(stored()).toEqual([])
    const booked = await ledger.book(draft, call.callId, ACTOR)
    expect(booked).toMatchObject({ eventId: draft.eventId, repeated: false })
    expect(stored()).toMatchObject([
      {
        id: draft.eventId,
        type: 'CallCharged',
        data: { amountMicros: '7' },
        metadata: { schemaVersion: 3, correlationId: call.callId, actor: ACTOR },
      },
    ])
  })

  test('that the same or another writer repeats is stored once', async () => {
    await book(charge)
    expect(await book(charge)).toMatchObject({ repeated: true })
    const other = new LedgerWriter(new PursuingAppender(store, new ManualClock()))
    expect(await other.book(other.draft(charge), call.callId, ACTOR)).toMatchObject({ repeated: true })
    expect(stored()).toHaveLength(1)
  })

  test('of a failure after a charge of the same call has no effect, and vice versa', async () => {
    await book(charge)
    await book({ type: 'FailCall', call, reason: 'late', tokensAbandoned: null })
    expect(stored().map(({ type }) => type)).toEqual(['CallCharged'])
  })

  test('of a reversal is stored in addition to the charge', async () => {
    const { event } = await book(charge)
    if (event.type !== 'CallCharged') throw new Error('not a charge')
    for (let n = 0; n < 2; n++) await book({ type: 'ReverseCharge', charge: event.data, reason: 'told 503', at: AT })
    expect(stored().map(({ type }) => type)).toEqual(['CallCharged', 'ChargeReversed'])
  })

  test('that does not match its schema is not sent', async () => {
    const wrong: LedgerCommand = {
      type: 'FailCall',
      call: { ...call, callId: 'no uuid' },
      reason: 'x',
      tokensAbandoned: null,
    }
    await expect(book(wrong)).rejects.toThrow()
    expect(store.sent).toEqual([])
  })
})
