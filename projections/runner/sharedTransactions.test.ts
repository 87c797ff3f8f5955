import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, reversed } from '../../test/support/events/ledgerEvents.ts'
import { calls } from '../calls/projection.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import type { Projection } from '../projection.ts'
import { usage } from '../usage/projection.ts'
import { readMovedAt, writeCheckpoint } from './checkpoints.ts'
import type { ConnectionSql, Database, TransactionOptions } from './ports.ts'
import { prepareProjection } from './runner.ts'
import { SHARED_EVENTS_MAX, SharedTransactions } from './sharedTransactions.ts'

const MODELS: readonly Projection[] = [usage, creditBalances, calls]
const companyId = randomUUID()
const ledger = streamName('ledger', companyId)
const someCalls = (count: number) => history(ledger, ...Array.from({ length: count }, () => charged(companyId)))
const at = (n: number) => String(n).padStart(16, '0') as Position

let models: ReadModels
let transactions: number
let loads: number
let shared: SharedTransactions
beforeEach(async () => {
  models = await ReadModels.open()
  for (const projection of MODELS) await prepareProjection(models.database, projection, ['all'])
  transactions = 0
  loads = 0
  const counting: Database = {
    query: models.database.query,
    transaction: (work, options?: TransactionOptions) => {
      transactions++
      const counted = (sql: ConnectionSql): ConnectionSql => ({
        ...sql,
        query: (text, values, name) => {
          if (text.startsWith('select t.*')) loads++
          return sql.query(text, values, name)
        },
      })
      return models.database.transaction((sql) => work(counted(sql)), options)
    },
  }
  shared = new SharedTransactions(counting, true)
})
afterEach(() => models.close())

const stepOf = (projection: Projection, events = someCalls(1)) => {
  return { projection, partition: 'all', from: BEGINNING, to: at(1), events }
}
const positions = () => Promise.all(MODELS.map((projection) => models.position(projection)))
const counts = () => Promise.all(MODELS.map(async (projection) => (await models.rows(projection)).length))

test('the steps of several models are stored in one transaction', async () => {
  expect(await Promise.all(MODELS.map((projection) => shared.store(stepOf(projection))))).toEqual([true, true, true])
  expect(transactions).toBe(1)
  expect(await positions()).toEqual([at(1), at(1), at(1)])
  // Usage is counted by the minute, the hour and the day.
  expect(await counts()).toEqual([3, 1, 1])
})

test('each stored step says when its model moved', async () => {
  await models.database.query("update read_models.checkpoints set moved_at = '2020-01-01'")
  await Promise.all(MODELS.map((projection) => shared.store(stepOf(projection))))
  const moved = await readMovedAt(models.database)
  expect(MODELS.filter(({ name }) => (moved.get(name) ?? '') < '2021')).toEqual([])
})

test('steps that arrive while a transaction runs are stored in the next one', async () => {
  const first = shared.store(stepOf(usage))
  await first
  const others = [creditBalances, calls].map((projection) => shared.store(stepOf(projection)))
  expect(await Promise.all(others)).toEqual([true, true])
  expect(transactions).toBe(2)
})

test('a model that fails does so alone, and nothing of it is stored', async () => {
  const broken = {
    ...calls,
    evolve: () => {
      throw new Error('indigestible')
    },
  } as Projection
  const stored = [usage, broken, creditBalances].map((projection) => shared.store(stepOf(projection)))
  expect(await Promise.allSettled(stored)).toMatchObject([
    { status: 'fulfilled', value: true },
    { status: 'rejected', reason: { message: 'indigestible' } },
    { status: 'fulfilled', value: true },
  ])
  expect(await positions()).toEqual([at(1), at(1), BEGINNING])
  expect(await counts()).toEqual([3, 1, 0])
})

test('a checkpoint that another runner moved is left alone, with its rows', async () => {
  await models.database.query("update read_models.checkpoints set position = $1 where projection = 'usage'", [at(7)])
  expect(await Promise.all(MODELS.map((projection) => shared.store(stepOf(projection))))).toEqual([false, true, true])
  expect(await positions()).toEqual([at(7), at(1), at(1)])
  expect(await counts()).toEqual([0, 1, 1])
})

test('a model of another version is left alone, with its rows', async () => {
  await models.database.query("update read_models.checkpoints set version = 99 where projection = 'usage'")
  expect(await Promise.all(MODELS.map((projection) => shared.store(stepOf(projection))))).toEqual([false, true, true])
  expect(await counts()).toEqual([0, 1, 1])
})

test('a checkpoint that a rebuild holds does not keep the other models waiting', async () => {
  const held = Promise.withResolvers<void>()
  const holding = models.database.transaction(async (sql) => {
    await sql.query("select 1 from read_models.checkpoints where projection = 'usage' for update")
    await held.promise
  })
  const [waiting, ...others] = MODELS.map((projection) => shared.store(stepOf(projection)))
  expect(await Promise.all(others)).toEqual([true, true])
  expect(await counts()).toEqual([0, 1, 1])
  held.resolve()
  await holding
  expect(await waiting).toBe(true)
  expect(await counts()).toEqual([3, 1, 1])
})

test('a large step has its own transaction, which the others need not wait for', async () => {
  const large = shared.store(stepOf(usage, someCalls(SHARED_EVENTS_MAX + 1)))
  const others = [creditBalances, calls].map((projection) => shared.store(stepOf(projection)))
  expect(await Promise.all([large, ...others])).toEqual([true, true, true])
  expect(transactions).toBe(2)
})

test('two steps of one checkpoint are stored one after the other', async () => {
  const [first, second] = [stepOf(calls), { ...stepOf(calls), from: at(1), to: at(2) }]
  expect(await Promise.all([shared.store(first), shared.store(second)])).toEqual([true, true])
  expect(await models.position(calls)).toBe(at(2))
})

test('the same step given twice is stored once', async () => {
  expect(await Promise.all([shared.store(stepOf(calls)), shared.store(stepOf(calls))])).toEqual([true, false])
  expect(await models.rows(calls)).toHaveLength(1)
})

const nextCharge = (n: number) => ({ ...stepOf(creditBalances), from: n === 1 ? BEGINNING : at(n - 1), to: at(n) })
const balance = async () => (await models.rows(creditBalances))[0]?.balanceMicros

test('rows that a step has written are not read again by the next one', async () => {
  const amount = BigInt(charged(companyId).data.amountMicros)
  for (const n of [1, 2, 3]) expect(await shared.store(nextCharge(n))).toBe(true)
  expect(loads).toBe(1)
  expect(await balance()).toBe(String(-3n * amount))
})

test('rows are read again after another runner has moved the checkpoint', async () => {
  await shared.store(nextCharge(1))
  await models.anotherProcess().store(nextCharge(2))
  const before = BigInt((await balance()) ?? 0)
  await shared.store(nextCharge(3))
  expect(loads).toBe(2)
  expect(BigInt((await balance()) ?? 0) < before).toBe(true)
})

test('rows are read again after a rebuild that ends at the same position', async () => {
  await shared.store(nextCharge(1))
  // What a rebuild does at the end, with rows that had been wrong.
  await models.database.transaction(async (sql) => {
    await sql.query("update read_models.credit_balances set grants_micros = '7000000000'")
    await writeCheckpoint(sql, creditBalances, ['all'], at(1))
  })
  await shared.store(nextCharge(2))
  expect(await models.rows(creditBalances)).toMatchObject([{ grantsMicros: '7000000000' }])
})

test('rows of a failed step are not mistaken for stored ones', async () => {
  const failing = {
    ...creditBalances,
    evolve: (...args: Parameters<typeof creditBalances.evolve>) => {
      creditBalances.evolve(...args)
      throw new Error('indigestible')
    },
  } as Projection
  await shared.store(nextCharge(1))
  await expect(shared.store({ ...nextCharge(2), projection: failing })).rejects.toThrow('indigestible')
  const before = BigInt((await balance()) ?? 0)
  await shared.store(nextCharge(2))
  expect(BigInt((await balance()) ?? 0)).toBe(2n * before)
})

test('the rows of new calls are not looked up', async () => {
  await shared.store(stepOf(calls, someCalls(3)))
  expect([loads, (await models.rows(calls)).length]).toEqual([0, 3])
})

test('a call is reversed in the step of its charge, and in a later one', async () => {
  const [one, other] = [charged(companyId), charged(companyId)]
  await shared.store(stepOf(calls, history(ledger, one, other, reversed(one))))
  await shared.store({ ...stepOf(calls, history(ledger, reversed(other))), from: at(1), to: at(2) })
  expect((await models.rows(calls)).map(({ state }) => state)).toEqual(['REVERSED', 'REVERSED'])
})
