import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { MemoryEventStore } from '../../test/support/eventStores/memoryEventStore.ts'
import { anEventOf } from '../../test/support/events/history.ts'
import { charged, granted, reversed } from '../../test/support/events/ledgerEvents.ts'
import { apiKeys } from '../apiKeys/projection.ts'
import { calls } from '../calls/projection.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { creditTransactions } from '../creditTransactions/projection.ts'
import type { Projection } from '../projection.ts'
import { usage } from '../usage/projection.ts'
import { type CatchUpOptions, catchUpTogether } from './catchUp.ts'
import type { ConnectionSql, Database } from './ports.ts'
import { prepareProjection } from './runner.ts'

const MODELS: readonly Projection[] = [creditBalances, creditTransactions, calls, usage, apiKeys]
const EVENTS = 250
const EVENTS_MIN = 100
const PAGE_EVENTS = 100
const companyId = randomUUID()

let models: ReadModels
beforeEach(async () => {
  models = await ReadModels.open()
  for (const projection of MODELS) await prepareProjection(models.database, projection, ['all'])
  await models.chargeCalls(companyId, EVENTS)
})
afterEach(() => models.close())

function catchUp(changes: Partial<CatchUpOptions> = {}): Promise<void> {
  const { database, store, feed } = models
  const signal = new AbortController().signal
  return catchUpTogether({
    ...{ projections: MODELS, database, source: store, feed, signal },
    ...{ eventsMin: EVENTS_MIN, pageEventsMax: PAGE_EVENTS, stepEventsMin: PAGE_EVENTS },
    ...changes,
  })
}

/** Its transactions behave as the test says. */
function databaseWith(change: (sql: ConnectionSql) => ConnectionSql): Database {
  const { query, transaction } = models.database
  return { query, transaction: (work, options) => transaction((sql) => work(change(sql)), options) }
}

/** For a store that may hold an event twice. */
function feedOfRepeats(): CatchUpOptions['feed'] {
  return { partitionsOf: (categories) => models.feed.partitionsOf(categories), idsAreUnique: false }
}

async function expectFolded(...projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) {
    expect(await models.rows(projection)).toEqual(await models.folded(projection))
    expect(await models.position(projection)).toBe(await models.store.head())
  }
}

/** Reads like the store, and calls the hook before each page is delivered, with the number of the page. */
function sourceWith(
  work: (page: number) => Promise<unknown> | undefined,
  store: CatchUpOptions['source'] = models.store,
): CatchUpOptions['source'] {
  let pages = 0
  return {
    head: () => store.head(),
    eventsAfter: (position) => store.eventsAfter(position),
    readAll: async (options) => {
      await work(++pages)
      return store.readAll(options)
    },
  }
}

test('models that are far behind reach the head, and each page is read once for all of them', async () => {
  let reads = 0
  await catchUp({ source: sourceWith(async (page) => (reads = page)) })
  await expectFolded(...MODELS)
  expect(reads).toBe(Math.ceil(EVENTS / PAGE_EVENTS))
})

test('the rows of several pages are written together', async () => {
  const stored: number[] = []
  const advanced: [string, number][] = []
  await catchUp({
    pageEventsMax: 30,
    onStored: (events) => stored.push(events),
    onAdvanced: (projection, events) => advanced.push([projection, events]),
  })
  await expectFolded(...MODELS)
  expect(stored).toEqual([120, 120, 10])
  expect(advanced.filter(([name]) => name === calls.name)).toEqual(stored.map((events) => [calls.name, events]))
})

test.each([
  ['in the same step', 1_000],
  ['in a later step', 50],
])('a row that is changed again %s is as the fold has it', async (_, stepEventsMin) => {
  const charge = charged(companyId)
  await models.appendToLedger(companyId, charge)
  await models.chargeCalls(companyId, EVENTS)
  await models.appendToLedger(companyId, reversed(charge), granted(companyId))
  await catchUp({ stepEventsMin, pageEventsMax: 50 })
  await expectFolded(...MODELS)
})

/**
 * Its first transaction, which stores the first page, begins when the second page may have been folded: after the third
 * was requested, and after the queries of the fold.
 */
function slowDatabase(store: CatchUpOptions['source'] = models.store): Pick<CatchUpOptions, 'database' | 'source'> {
  const thirdIsRead = Promise.withResolvers<void>()
  const queries: Promise<unknown>[] = []
  const { query, transaction } = models.database
  const database: Database = {
    query: (...args) => {
      const result = query(...args)
      queries.push(result)
      return result as never
    },
    transaction: async (work, options) => {
      await thirdIsRead.promise
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
      await Promise.all(queries)
      return transaction(work, options)
    },
  }
  return { database, source: sourceWith(async (page) => page === 3 && thirdIsRead.resolve(), store) }
}

test('a row of a step that is still being stored is changed on top of that step', async () => {
  await models.close()
  models = await ReadModels.open()
  for (const projection of MODELS) await prepareProjection(models.database, projection, ['all'])
  const charge = charged(companyId)
  await models.appendToLedger(companyId, charge)
  await models.chargeCalls(companyId, PAGE_EVENTS)
  await models.appendToLedger(companyId, reversed(charge))
  await models.chargeCalls(companyId, EVENTS)
  const troubles: unknown[] = []
  await catchUp({ ...slowDatabase(), onTrouble: (projection, error) => troubles.push([projection, error]) })
  expect(troubles).toEqual([])
  await expectFolded(...MODELS)
})

test('models that already have rows are continued, and their rows changed', async () => {
  const charge = charged(companyId)
  await models.appendToLedger(companyId, charge)
  await catchUp()
  await models.appendToLedger(companyId, reversed(charge))
  await models.chargeCalls(companyId, EVENTS)
  await catchUp()
  await expectFolded(...MODELS)
})

test('a catch-up that fails is continued where it stopped, and counts no event twice', async () => {
  const first = await models.store.readAll({ after: BEGINNING, limit: PAGE_EVENTS })
  let isAway = false
  const database = databaseWith((sql) => {
    if (isAway) throw new Error('the database is away')
    return sql
  })
  const interrupted = catchUp({
    database,
    onStored: () => {
      isAway = true
    },
  })
  await expect(interrupted).rejects.toThrow('the database is away')
  for (const projection of MODELS) expect(await models.position(projection)).toBe(first.position)
  await catchUp()
  await expectFolded(...MODELS)
})

test('a catch-up that is stopped leaves matching rows and checkpoints', async () => {
  const stopping = new AbortController()
  await catchUp({ signal: stopping.signal, onStored: () => stopping.abort() })
  const position = (await models.position(calls)) ?? BEGINNING
  expect(position).not.toBe(BEGINNING)
  expect(position).not.toBe(await models.store.head())
  const passed = (await models.events(calls)).filter((event) => event.position <= position)
  expect(await models.rows(calls)).toHaveLength(passed.length)
  await catchUp({ eventsMin: 1 })
  await expectFolded(...MODELS)
})

test('a model that fails alone is left to its runner; the others continue', async () => {
  const troubles: string[] = []
  const database = databaseWith((sql) => ({
    ...sql,
    copy: (statement, rows) =>
      statement.includes('read_models.calls ') ? Promise.reject(new Error('no space')) : sql.copy(statement, rows),
  }))
  await catchUp({ database, onTrouble: (projection) => troubles.push(projection) })
  expect(troubles).toEqual([calls.name])
  expect(await models.position(calls)).toBe(BEGINNING)
  await expectFolded(...MODELS.filter((projection) => projection !== calls))
})

test('a model that another runner moves meanwhile is left to that runner', async () => {
  const moveByAnother = async () => {
    const [event] = await models.events(calls)
    if (!event) throw new Error('there is no call')
    const step = { projection: calls, partition: 'all', from: BEGINNING, to: event.position, events: [event] }
    await models.anotherProcess().store(step)
  }
  await catchUp({ source: sourceWith((page) => (page === 1 ? moveByAnother() : undefined)) })
  expect(await models.rows(calls)).toHaveLength(1)
  await expectFolded(creditBalances)
  models.run(calls)
  await models.caughtUp(calls)
  await expectFolded(calls)
})

test('rows that were folded before another transaction wrote the checkpoint are not stored', async () => {
  const rewrite = () =>
    models.database.query('update read_models.checkpoints set moved_at = now() where projection = $1', [calls.name])
  await catchUp({ source: sourceWith((page) => (page === 1 ? rewrite() : undefined)) })
  expect(await models.rows(calls)).toEqual([])
  expect(await models.position(calls)).toBe(BEGINNING)
  await expectFolded(creditBalances)
})

test('an event that the store holds several times is applied once', async () => {
  const store = new MemoryEventStore({ idsAreUnique: false })
  const stream = streamName('ledger', companyId)
  const events = Array.from({ length: EVENTS }, () => anEventOf(charged(companyId)))
  const [twice] = events
  if (!twice) throw new Error('there is no event')
  for (const event of [...events.slice(0, 10), twice, ...events.slice(10), twice]) store.write(stream, 'any', [event])
  const repeating = { source: store, feed: feedOfRepeats() }
  await catchUp(repeating)
  expect(await models.rows(calls)).toHaveLength(EVENTS)
  for (const event of [twice, ...events]) store.write(stream, 'any', [event])
  const more = anEventOf(charged(companyId))
  store.write(stream, 'any', [more, more])
  await catchUp(repeating)
  expect(await models.rows(calls)).toHaveLength(EVENTS + 1)
  expect(await models.rows(creditTransactions)).toHaveLength(EVENTS + 1)
  const days = (await models.rows(usage)).filter(({ granularity }) => granularity === 'day')
  expect(days.reduce((sum, { requests }) => sum + Number(requests), 0)).toBe(EVENTS + 1)
  expect(await models.position(calls)).toBe(await store.head())
})

test('an event that comes again while its step is being stored is applied once', async () => {
  const store = new MemoryEventStore({ idsAreUnique: false })
  const events = Array.from({ length: EVENTS }, () => anEventOf(charged(companyId)))
  const [twice] = events
  if (!twice) throw new Error('there is no event')
  const stored = [...events.slice(0, PAGE_EVENTS), twice, ...events.slice(PAGE_EVENTS)]
  for (const event of stored) store.write(streamName('ledger', companyId), 'any', [event])
  const { database, source } = slowDatabase(store)
  const troubles: unknown[] = []
  const onTrouble = (projection: string, error: unknown) => troubles.push([projection, error])
  await catchUp({ database, source, feed: feedOfRepeats(), onTrouble })
  expect(troubles).toEqual([])
  expect(await models.rows(calls)).toHaveLength(EVENTS)
})

test('a few events are left to the runners', async () => {
  await catchUp()
  const head = await models.store.head()
  await models.chargeCalls(companyId, 10)
  await catchUp()
  expect(await models.position(creditBalances)).toBe(head)
})
