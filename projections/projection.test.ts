import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CATEGORIES, streamName } from '../contracts/streams.ts'
import { anEventOf, history } from '../test/support/events/history.ts'
import { charged, granted } from '../test/support/events/ledgerEvents.ts'
import { PROJECTIONS, projectionNamed } from './catalogue.ts'
import { creditBalances } from './creditBalances/projection.ts'
import { applyEvents, rowKey } from './projection.ts'

const companyId = randomUUID()
const events = history(streamName('ledger', companyId), granted(companyId), charged(companyId), charged(companyId))

test('a fold gives the same rows at once or in batches', () => {
  const whole = applyEvents(creditBalances, events)
  const rows = applyEvents(creditBalances, events.slice(0, 1))
  expect(applyEvents(creditBalances, events.slice(1), rows)).toEqual(whole)
})

test('a row has the key that its event names', () => {
  const [row] = applyEvents(creditBalances, events).values()
  const [key] = events.flatMap((event) => creditBalances.rowsOf(event))
  expect(row && rowKey(creditBalances, row)).toBe(key && rowKey(creditBalances, key))
})

test('an id in capitals is never stored, because its row would be read back under another key', () => {
  expect(() => anEventOf(granted(companyId.toUpperCase()))).toThrow(/companyId/)
})

test('every read model has its own name, table and key, and is found by its name', () => {
  for (const projection of PROJECTIONS) {
    expect(projectionNamed(projection.name)).toBe(projection)
    expect(projection.name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(projection.key.length).toBeGreaterThan(0)
    for (const category of projection.categories) expect(CATEGORIES).toContain(category)
  }
  expect(new Set(PROJECTIONS.map((projection) => projection.table)).size).toBe(PROJECTIONS.length)
  expect(projectionNamed('unheard-of')).toBeUndefined()
})
