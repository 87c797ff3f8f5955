import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, failed, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { dailyTokens } from './projection.ts'
import { dailyTokensFrom } from './queries.ts'

const companyId = randomUUID()
const rowsAfter = (...events: LedgerEvent[]) => [
  ...applyEvents(dailyTokens, history(streamName('ledger', companyId), ...events)).values(),
]
const row = (day: string, tokensCharged: string, tokensAbandoned: string) => ({
  ...{ day, companyId, tokensCharged, tokensAbandoned },
})

test('charged tokens are those in and out, abandoned ones those of streams whose caller disconnected', () => {
  const left = failed(companyId, { tokensAbandoned: 7 })
  expect(rowsAfter(charged(companyId), left, left, charged(companyId))).toEqual([row('2026-03-01', '60', '14')])
})

test('a call counts on the UTC day on which it finished', () => {
  expect(
    rowsAfter(
      charged(companyId, { finishedAt: '2026-03-01T23:59:59.999Z' }),
      failed(companyId, { finishedAt: '2026-03-02T00:00:00.000Z', tokensAbandoned: 3 }),
    ),
  ).toEqual([row('2026-03-01', '30', '0'), row('2026-03-02', '0', '3')])
})

test('a reversal subtracts the tokens from the day of the charge', () => {
  const charge = charged(companyId)
  const late = reversed(charge, { reversedAt: '2026-03-05T00:00:00.000Z' })
  expect(rowsAfter(charge, charged(companyId), late)).toEqual([row('2026-03-01', '30', '0')])
})

test('grants, refunds and calls that failed for another reason have no tokens', () => {
  expect(rowsAfter(granted(companyId), refunded(companyId), failed(companyId))).toEqual([])
})

test('sums beyond the precision of a double are exact', () => {
  const before = { ...row('2026-03-01', '9007199254740993', '0') }
  const [event] = history(streamName('ledger', companyId), charged(companyId))
  if (!event) throw new Error('no event')
  expect(dailyTokens.evolve(before, event, {}).tokensCharged).toBe('9007199254741023')
})

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
})
afterAll(() => models.close())

test('a query from a day on includes that day and later ones, oldest first', async () => {
  const days = ['2026-03-03', '2026-03-01', '2026-03-02']
  const calls = days.map((day) => charged(companyId, { finishedAt: `${day}T12:00:00.000Z` }))
  await models.appendToLedger(companyId, ...calls)
  await models.rebuild(dailyTokens)
  expect(await dailyTokensFrom(models.database, '2026-03-02')).toEqual([
    row('2026-03-02', '30', '0'),
    row('2026-03-03', '30', '0'),
  ])
})
