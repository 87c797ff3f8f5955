import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { streamName } from '../../contracts/streams.ts'
import { trail } from '../../projections/trail/projection.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { invoiceFacts } from '../../test/support/events/billingEvents.ts'
import { granted } from '../../test/support/events/ledgerEvents.ts'
import type { PaymentLists } from '../payments/paymentLists.ts'
import type { Entry } from './port.ts'
import { sourcesOf } from './sources.ts'

const companyId = randomUUID()
const invoiceId = 'in_usage'
const IN_OCTOBER = '2026-10-05T10:00:00.000Z'
const OF_ONE = { invoiceId, companyId }

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
  const facts = invoiceFacts({ status: 'PAID', amountMinor: '900', currency: 'eur' })
  const usage = { ...OF_ONE, month: '2026-09', creditsMicros: '7000000' }
  await models.append(
    streamName('invoice', invoiceId),
    { type: 'UsageInvoiceDrafted', data: { ...usage, lines: [], draftedAt: IN_OCTOBER } },
    { type: 'InvoicePaid', data: { ...OF_ONE, saidAt: IN_OCTOBER, facts, grant: null } },
    {
      type: 'InvoiceRefundSeen',
      data: { ...OF_ONE, chargedMinor: '900', refundedMinor: '100', saidAt: IN_OCTOBER, askedAt: null },
    },
  )
  const settled = { companyId, month: '2026-09', amountMicros: '7000000', settledAt: IN_OCTOBER }
  await models.appendToLedger(
    companyId,
    { type: 'InvoiceSettled', data: { ...settled, invoiceId } },
    { type: 'InvoiceSettled', data: { ...settled, month: '2026-08', invoiceId: null } },
    granted(companyId, { source: 'ADJUSTMENT', reason: 'a gift', grantedAt: IN_OCTOBER }),
    granted(companyId, { source: 'SUBSCRIPTION', reason: 'invoice in_2', grantedAt: '2026-11-01T00:00:00.000Z' }),
  )
  await models.rebuild(trail)
})
afterAll(() => models.close())

const sources = () => sourcesOf(models.database, {} as PaymentLists)

test('an invoice for usage is booked by its settlement, with the credits that it was drafted for', async () => {
  const bookings = await sources().bookings([`invoice ${invoiceId}`, 'invoice in_unknown'])
  expect([...bookings.values()]).toEqual([
    {
      reference: `invoice ${invoiceId}`,
      companyId,
      paid: { amountMinor: 900n, currency: 'eur' },
      dueMicros: 7_000_000n,
      booked: { kind: 'settlement', micros: 7_000_000n, at: IN_OCTOBER },
      refund: { chargedMinor: '900', refundedMinor: '100' },
      takenBackMicros: 0n,
      correctedMicros: 0n,
      waivedMicros: 0n,
      disputes: [],
      withdrawnMicros: 0n,
    },
  ])
})

test('the entries of a time are those that the ledger booked in it, its end excluded', async () => {
  const entries: Entry[] = []
  for await (const page of sources().entries('2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z')) {
    entries.push(...page)
  }
  expect(entries.map(({ kind, reference }) => `${kind} ${reference}`).toSorted()).toEqual([
    'byHand null',
    `settlement invoice ${invoiceId}`,
    'settlement null',
  ])
})
