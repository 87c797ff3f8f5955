import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { calls } from '../../../projections/calls/projection.ts'
import { applyEvents } from '../../../projections/projection.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { history } from '../../../test/support/events/history.ts'
import { AT, charged } from '../../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { shownCall } from './shownCall.ts'

const companyId = randomUUID()
const charge = charged(companyId)
const { eventId, event: reversal } = new LedgerWriter(
  new PursuingAppender(new MemoryEventStore(), new ManualClock()),
).draft({ type: 'ReverseCharge', charge: charge.data, reason: 'told 503', at: AT })

test('a call names its charge, and the reversal of it, by the ids that the ledger gives them', () => {
  const callAfter = (...events: LedgerEvent[]) => {
    const [row] = applyEvents(calls, history(`ledger-${companyId}`, ...events)).values()
    return row && shownCall(row).eventIds
  }
  expect(callAfter(charge)).toEqual([charge.data.callId])
  expect(callAfter(charge, reversal)).toEqual([charge.data.callId, eventId])
})
