import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/events/history.ts'
import {
  adjusted,
  anchored,
  charged,
  expired,
  failed,
  granted,
  invoiceSettled,
  refunded,
  reinstated,
  reversed,
  withdrawn,
} from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { creditBalances } from './projection.ts'

const companyId = randomUUID()
const rowsAfter = (...events: LedgerEvent[]) => [
  ...applyEvents(creditBalances, history(streamName('ledger', companyId), ...events)).values(),
]

test('a balance is grants less charges plus reversals less refunds, adjusted, settled, expired and disputed, each stored separately', () => {
  const charge = charged(companyId, { amountMicros: '50' })
  const [row] = rowsAfter(
    granted(companyId, { amountMicros: '1000' }),
    charge,
    charged(companyId, { amountMicros: '7' }),
    reversed(charge),
    refunded(companyId, { amountMicros: '300' }),
    adjusted(companyId, { amountMicros: '-700' }),
    invoiceSettled(companyId, { amountMicros: '5000000' }),
    expired(companyId, { amountMicros: '20' }),
    withdrawn(companyId, { amountMicros: '9' }),
    reinstated(companyId, { amountMicros: '9' }),
    adjusted(companyId, { amountMicros: '4', adjustedAt: '2026-03-02T00:00:00.000Z' }),
  )
  expect(row).toEqual({
    companyId,
    grantsMicros: '1000',
    chargesMicros: '57',
    reversalsMicros: '50',
    refundsMicros: '300',
    adjustmentsMicros: '-696',
    settlementsMicros: '5000000',
    expiriesMicros: '20',
    withdrawalsMicros: '9',
    reinstatementsMicros: '9',
    balanceMicros: '4999977',
    updatedAt: '2026-03-02T00:00:00.000Z',
  })
})

test('a failed call moves the time of the last event and nothing else', () => {
  const grant = granted(companyId)
  const [before] = rowsAfter(grant)
  const [after] = rowsAfter(grant, failed(companyId, { finishedAt: '2026-03-01T11:00:00.000Z' }))
  expect(after).toEqual({ ...before, updatedAt: '2026-03-01T11:00:00.000Z' })
})

test('a balance may go below zero', () => {
  const [row] = rowsAfter(charged(companyId, { amountMicros: '50' }))
  expect(row?.balanceMicros).toBe('-50')
})

test('amounts beyond the precision of a double stay exact', () => {
  const [row] = rowsAfter(
    granted(companyId, { amountMicros: '9007199254740993' }),
    granted(companyId, { amountMicros: '9999999999999999999999999999' }),
    charged(companyId, { amountMicros: '1' }),
  )
  expect(row?.balanceMicros).toBe('10000000000009007199254740991')
})

test('each company has its own row', () => {
  const other = randomUUID()
  const rows = rowsAfter(granted(companyId, { amountMicros: '5' }), granted(other, { amountMicros: '7' }))
  expect(rows.map((row) => [row.companyId, row.balanceMicros])).toEqual([
    [companyId, '5'],
    [other, '7'],
  ])
})

test('a price book moves the time of the last event and nothing else, and the common ledger has no balance', () => {
  const grant = granted(companyId)
  const [before] = rowsAfter(grant)
  const [after] = rowsAfter(grant, anchored(companyId, { anchoredAt: '2026-03-02T00:00:00.000Z' }))
  expect(after).toEqual({ ...before, updatedAt: '2026-03-02T00:00:00.000Z' })
  expect(rowsAfter(anchored(null))).toEqual([])
})
