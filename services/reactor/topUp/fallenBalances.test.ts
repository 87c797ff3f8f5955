import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lapsingLots } from '../../../capabilities/creditLots/lapsingLots.ts'
import { rolloverId } from '../../../capabilities/creditLots/lotTables.ts'
import type { LedgerEvent } from '../../../contracts/events/ledger.ts'
import { WITHOUT_EXPIRY } from '../../../contracts/events/lotTerms.ts'
import { streamName } from '../../../contracts/streams.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import { companies } from '../../../projections/companies/projection.ts'
import { creditBalances } from '../../../projections/creditBalances/projection.ts'
import { topUps } from '../../../projections/topUps/projection.ts'
import { foldLots } from '../../../test/support/databases/foldLots.ts'
import { ReadModels } from '../../../test/support/databases/readModels.ts'
import { registered } from '../../../test/support/events/controlEvents.ts'
import { charged, expired, granted, reversed } from '../../../test/support/events/ledgerEvents.ts'
import { topUpMethodSaved, topUpSet } from '../../../test/support/events/topUpEvents.ts'
import { fallenBalances } from './fallenBalances.ts'

const EXPIRES_AT = '2026-03-02T00:00:00.000Z'
const EXPIRY_MS = Date.parse(EXPIRES_AT)
const MINUTE_MS = 60_000
/** The threshold of `topUpSet`, in millionths. */
const THRESHOLD = 50_000_000
const ROLLOVER = { share: '500000', expiresAt: '2026-04-02T00:00:00.000Z' }

let models: ReadModels
let companyId: string
beforeEach(async () => {
  models = await ReadModels.open()
  companyId = randomUUID()
})
afterEach(() => models.close())

/** A company with top-up and these entries of its ledger, in all tables that the query reads. */
async function given(...ledger: LedgerEvent[]): Promise<void> {
  await models.append(streamName('company', companyId), registered(companyId))
  await models.append(streamName('topUp', companyId), topUpMethodSaved(companyId), topUpSet(companyId))
  await models.append(streamName('ledger', companyId), ...ledger)
  for (const model of [companies, creditBalances, topUps]) await models.rebuild(model)
  await foldLots(models)
}

const lot = (grantId: string, credits: number, terms = {}) =>
  granted(companyId, { grantId, amountMicros: String(credits), lot: { ...WITHOUT_EXPIRY, ...terms } })
const fallenAt = async (nowMs: number) =>
  (await fallenBalances(models.database, nowMs, [], 10)).map(({ balanceMicros }) => Number(balanceMicros))

test('a balance falls when credits expire, although the expiry is booked hours later', async () => {
  await given(lot(randomUUID(), 30), lot(randomUUID(), THRESHOLD, { expiresAt: EXPIRES_AT }))
  expect(await fallenAt(EXPIRY_MS - 1)).toEqual([])
  expect(await fallenAt(EXPIRY_MS)).toEqual([30])
})

test('what rolls over stays usable', async () => {
  await given(lot(randomUUID(), 2 * THRESHOLD, { expiresAt: EXPIRES_AT, rollover: ROLLOVER }))
  expect(await fallenAt(EXPIRY_MS)).toEqual([])
})

test('an expiry that may be in the balance already is not subtracted again', async () => {
  const grantId = randomUUID()
  await given(lot(randomUUID(), THRESHOLD), lot(grantId, THRESHOLD, { expiresAt: EXPIRES_AT }))
  await models.append(streamName('ledger', companyId), expired(companyId, { grantId, amountMicros: String(THRESHOLD) }))
  // The balance has the expiry, and the lots lack it.
  await models.rebuild(creditBalances)
  expect(await fallenAt(EXPIRY_MS + 120 * MINUTE_MS)).toEqual([])
})

test('credits that come back to a lot that has rolled over can no longer be used', async () => {
  const grantId = randomUUID()
  const call = charged(companyId, { amountMicros: '40' })
  const next = { source: 'ROLLOVER', expiresAt: ROLLOVER.expiresAt } as const
  await given(
    lot(grantId, 100, { expiresAt: EXPIRES_AT, rollover: ROLLOVER }),
    call,
    expired(companyId, { grantId, amountMicros: '60' }),
    lot(rolloverId(grantId), 30, { expiresAt: next.expiresAt }),
    reversed(call),
  )
  expect(await lapsingLots(models.database, isoTime(EXPIRY_MS))).toMatchObject([{ lotId: grantId, lapsingMicros: 40n }])
})
