import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { calls } from '../../../projections/calls/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { history } from '../../../test/support/events/history.ts'
import { AT, charged, failed } from '../../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { shownCall } from './shownCall.ts'

const companyId = randomUUID()
const charge = charged(companyId)
const { eventId, event: reversal } = new LedgerWriter(
  new PursuingAppender(new MemoryEventStore(), new ManualClock()),
).draft({ type: 'ReverseCharge', charge: charge.data, reason: 'told 503', at: AT })

const callAfter = (...events: LedgerEvent[]) => {
  const [row] = applyEvents(calls, history(`ledger-${companyId}`, ...events)).values()
  return row && shownCall(row)
}

test('a call names its charge, and the reversal of it, by the ids that the ledger gives them', () => {
  expect(callAfter(charge)?.eventIds).toEqual([charge.data.callId])
  expect(callAfter(charge, reversal)?.eventIds).toEqual([charge.data.callId, eventId])
})

test('a charge has its lines with credits and exact amounts, and the factor of its service tier', () => {
  const lines = [
    { kind: 'input', count: 10, rate: '2500000', amountMicros: '50' },
    { kind: 'beyondBound', count: 0, rate: '0', amountMicros: '-20' },
  ]
  const tier = { serviceTier: 'priority', tierFactor: '2000000' }
  expect(callAfter(charged(companyId, { lines, amountMicros: '30', ...tier, abandoned: true }))).toMatchObject({
    lines: [
      { kind: 'input', count: 10, rateCredits: 2.5, rateMicros: '2500000', credits: 0.00005, amountMicros: '50' },
      { kind: 'beyondBound', count: 0, rateCredits: 0, rateMicros: '0', credits: -0.00002, amountMicros: '-20' },
    ],
    ...{ serviceTier: 'priority', tierFactor: 2, abandoned: true },
  })
})

test('a call without lines shows none', () => {
  const none = { lines: null, serviceTier: null, tierFactor: null, abandoned: false }
  expect(callAfter(charged(companyId, none))).toMatchObject(none)
  expect(callAfter(failed(companyId))).toMatchObject(none)
})
