import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, failed, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { applyEvents } from '../projection.ts'
import { dailyMargins } from './projection.ts'
import { marginsByGroup } from './queries.ts'

const companyId = randomUUID()
const rowsAfter = (...events: LedgerEvent[]) => [
  ...applyEvents(dailyMargins, history(streamName('ledger', companyId), ...events)).values(),
]
const CALL = { alias: 'acme/fast', provider: 'first', costMicros: '40', costCurrency: 'usd' }
const COST = { ...CALL, amountMicros: '100' }
const ROW = { day: '2026-03-01', companyId, alias: 'acme/fast', provider: 'first', costCurrency: 'usd' }

test('a charge adds its credits and its cost to the day on which it finished', () => {
  const next = { ...COST, finishedAt: '2026-03-02T00:00:00.000Z' }
  expect(rowsAfter(charged(companyId, COST), charged(companyId, COST), charged(companyId, next))).toEqual([
    { ...ROW, calls: '2', failures: '0', chargedMicros: '200', costMicros: '80' },
    { ...ROW, day: '2026-03-02', calls: '1', failures: '0', chargedMicros: '100', costMicros: '40' },
  ])
})

test('aliases, providers and currencies have their own rows, and so do calls of unknown cost', () => {
  const rows = rowsAfter(
    charged(companyId, COST),
    charged(companyId, { ...COST, alias: 'acme/slow' }),
    charged(companyId, { ...COST, provider: 'second' }),
    charged(companyId, { ...COST, costCurrency: 'eur' }),
    charged(companyId, { ...COST, costMicros: null, costCurrency: null }),
    charged(companyId, { ...COST, provider: null, costMicros: null, costCurrency: null }),
  )
  expect(rows.map(({ alias, provider, costCurrency }) => [alias, provider, costCurrency])).toEqual([
    ['acme/fast', 'first', 'usd'],
    ['acme/slow', 'first', 'usd'],
    ['acme/fast', 'second', 'usd'],
    ['acme/fast', 'first', 'eur'],
    ['acme/fast', 'first', ''],
    ['acme/fast', '', ''],
  ])
  expect(rows.at(-1)).toMatchObject({ calls: '1', chargedMicros: '100', costMicros: '0' })
})

test('a failed call earns nothing, but costs what its provider reported', () => {
  expect(rowsAfter(charged(companyId, COST), failed(companyId, { ...CALL, costMicros: '7' }))).toEqual([
    { ...ROW, calls: '1', failures: '1', chargedMicros: '100', costMicros: '47' },
  ])
})

test('a reversal returns the credits on the day of the charge, and the cost remains', () => {
  const charge = charged(companyId, COST)
  const late = reversed(charge, { reversedAt: '2026-03-05T00:00:00.000Z' })
  expect(rowsAfter(charge, late)).toEqual([{ ...ROW, calls: '0', failures: '1', chargedMicros: '0', costMicros: '40' }])
})

test('grants and refunds are not part of a margin', () => {
  expect(rowsAfter(granted(companyId), refunded(companyId))).toEqual([])
})

test('amounts that a double would round are exact', () => {
  const large = charged(companyId, { ...COST, amountMicros: '9007199254740993', costMicros: '9007199254740993' })
  expect(rowsAfter(large, large)).toMatchObject([
    { chargedMicros: '18014398509481986', costMicros: '18014398509481986' },
  ])
})

let models: ReadModels
beforeAll(async () => {
  models = await ReadModels.open()
})
afterAll(() => models.close())

test('a query adds up all companies, by alias, provider or day, per currency', async () => {
  const other = randomUUID()
  const on = (day: string, changes: object) => ({ ...COST, ...changes, finishedAt: `${day}T12:00:00.000Z` })
  await models.appendToLedger(
    companyId,
    charged(companyId, on('2026-03-01', {})),
    charged(companyId, on('2026-03-02', {})),
    charged(companyId, on('2026-03-03', { costCurrency: 'eur', provider: 'second' })),
    charged(companyId, on('2026-03-04', {})),
  )
  await models.appendToLedger(other, charged(other, on('2026-03-02', {})))
  await models.rebuild(dailyMargins)
  const grouped = (groupBy: 'alias' | 'provider' | 'day') =>
    marginsByGroup(models.database, { firstDay: '2026-03-02', lastDay: '2026-03-03', groupBy })
  const usd = { costCurrency: 'usd', calls: '2', failures: '0', chargedMicros: '200', costMicros: '80' }
  const eur = { costCurrency: 'eur', calls: '1', failures: '0', chargedMicros: '100', costMicros: '40' }
  expect(await grouped('alias')).toEqual([
    { group: 'acme/fast', ...eur },
    { group: 'acme/fast', ...usd },
  ])
  expect(await grouped('provider')).toEqual([
    { group: 'first', ...usd },
    { group: 'second', ...eur },
  ])
  expect(await grouped('day')).toEqual([
    { group: '2026-03-02', ...usd },
    { group: '2026-03-03', ...eur },
  ])
})
