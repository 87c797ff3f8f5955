import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { collect } from '../../test/support/events/events.ts'
import { history } from '../../test/support/events/history.ts'
import { adjusted, charged, failed, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { creditTransactions } from './projection.ts'
import { transactionPages } from './queries.ts'

const companyId = randomUUID()
const recordedIn = (...events: LedgerEvent[]) => history(streamName('ledger', companyId), ...events)
const rowsAfter = (...events: LedgerEvent[]) => [...applyEvents(creditTransactions, recordedIn(...events)).values()]

describe('a line', () => {
  test.each(['PACK_PURCHASE', 'SUBSCRIPTION', 'ADJUSTMENT'] as const)('of a grant from %s is positive', (source) => {
    const [grant] = recordedIn(granted(companyId, { source, amountMicros: '1000', reason: 'welcome' }))
    expect(grant && [...applyEvents(creditTransactions, [grant]).values()]).toEqual([
      {
        transactionId: grant?.id,
        companyId,
        revision: '0',
        type: source,
        amountMicros: '1000',
        callId: null,
        keyId: null,
        alias: null,
        tokensIn: null,
        tokensOut: null,
        reason: 'welcome',
        corrects: null,
        occurredAt: '2026-03-01T10:00:30.000Z',
      },
    ])
  })

  test('of a charge is negative and names the call', () => {
    const charge = charged(companyId, { amountMicros: '50', tokensIn: 10, tokensOut: 20 })
    expect(rowsAfter(charge)).toMatchObject([
      {
        type: 'USAGE',
        amountMicros: '-50',
        callId: charge.data.callId,
        keyId: charge.data.keyId,
        alias: charge.data.alias,
        tokensIn: '10',
        tokensOut: '20',
        reason: null,
        occurredAt: charge.data.finishedAt,
      },
    ])
  })

  test('of a reversal is the inverse of the charge, for the same call, at its own time', () => {
    const charge = charged(companyId, { amountMicros: '50' })
    const reversedAt = '2026-03-01T10:05:00.000Z'
    expect(rowsAfter(charge, reversed(charge, { reversedAt, reason: 'found late' }))[1]).toMatchObject({
      type: 'REVERSAL',
      amountMicros: '50',
      callId: charge.data.callId,
      reason: 'found late',
      occurredAt: reversedAt,
      revision: '1',
    })
  })

  test('of a refund is negative', () => {
    expect(rowsAfter(refunded(companyId, { amountMicros: '300' }))).toMatchObject([
      { type: 'REFUND', amountMicros: '-300', callId: null, reason: 'a chargeback' },
    ])
  })

  test('of an adjustment has its sign, and names the entry it corrects', () => {
    const corrects = randomUUID()
    const correction = adjusted(companyId, { amountMicros: '-5', corrects, correction: 1, reason: 'granted twice' })
    expect(rowsAfter(correction, adjusted(companyId, { amountMicros: '7' }))).toMatchObject([
      { type: 'ADJUSTMENT', amountMicros: '-5', corrects, callId: null, reason: 'granted twice' },
      { type: 'ADJUSTMENT', amountMicros: '7', corrects: null },
    ])
  })

  test('of a call that cost nothing is zero, without a sign', () => {
    expect(rowsAfter(charged(companyId, { amountMicros: '0' }))).toMatchObject([{ amountMicros: '0' }])
  })

  test('is not written for a failed call', () => {
    const rows = rowsAfter(granted(companyId), failed(companyId), granted(companyId))
    expect(rows.map((row) => row.revision)).toEqual(['0', '2'])
  })
})

describe('the transactions of a company', () => {
  let models: ReadModels
  beforeAll(async () => {
    models = await ReadModels.open()
  })
  afterAll(() => models.close())

  test('are read in ledger order, page by page, without those of other companies', async () => {
    const other = randomUUID()
    for (let n = 0; n < 7; n++) {
      await models.appendToLedger(companyId, n === 3 ? failed(companyId) : charged(companyId))
      await models.appendToLedger(other, granted(other))
    }
    await models.rebuild(creditTransactions)
    for (const pageRows of [1, 2, 3, 6, 100]) {
      const pages = await collect(transactionPages(models.database, companyId, pageRows))
      expect(pages.flat().map((line) => line.revision)).toEqual(['0', '1', '2', '4', '5', '6'])
    }
  })
})
