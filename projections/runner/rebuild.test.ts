import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { charged, granted } from '../../test/support/ledgerEvents.ts'
import { ReadModels } from '../../test/support/readModels.ts'
import { waitUntil } from '../../test/support/waitUntil.ts'
import { PROJECTIONS } from '../catalogue.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { creditTransactions } from '../creditTransactions/projection.ts'
import { usage } from '../usage/projection.ts'
import { readCheckpoint } from './checkpoints.ts'
import { hashProjection } from './hash.ts'
import { ProjectionVersionDiffers } from './runner.ts'
import { readModelSnapshot } from './snapshot.ts'

let models: ReadModels
let companyId: string
beforeEach(async () => {
  models = await ReadModels.open()
  companyId = randomUUID()
})
afterEach(() => models.close())

/** Appends until it is stopped, as callers do who know nothing of rebuilds. */
function keepCharging() {
  let isOver = false
  const appending = (async () => {
    while (!isOver) await models.appendToLedger(companyId, charged(companyId), charged(companyId))
  })()
  return async () => {
    isOver = true
    await appending
  }
}

const waitsForALock = async () => {
  const waiting = await models.database.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return waiting.length > 0
}

const positionsOf = async () => (await readCheckpoint(models.database, creditBalances.name))?.positions
const schemasLeft = () => models.database.query("select nspname from pg_namespace where nspname like 'rebuild%'")

describe('a rebuild', () => {
  test('gives the rows and the hash of the live model, while calls and the live runner go on', async () => {
    for (const projection of PROJECTIONS) models.run(projection)
    const stopCharging = keepCharging()
    for (const projection of PROJECTIONS) await models.rebuild(projection)
    await stopCharging()
    await models.caughtUp(...PROJECTIONS)
    for (const projection of PROJECTIONS) {
      const rows = await models.rows(projection)
      expect(rows).toEqual(await models.folded(projection))
      const live = await hashProjection(models.database, projection)
      await models.rebuild(projection)
      expect((await hashProjection(models.database, projection))?.hash).toBe(live?.hash)
    }
    expect(await schemasLeft()).toEqual([])
  })

  test('builds a model that never ran, and its runner goes on from there', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    const { events, position } = await models.rebuild(creditBalances)
    expect({ events, position }).toEqual({ events: 1, position: await models.store.head() })
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
    const runner = models.run(creditBalances)
    await models.appendToLedger(companyId, charged(companyId))
    await models.caughtUp(creditBalances)
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
    expect(runner.advances).toHaveLength(1)
  })

  test('of an empty store gives an empty model', async () => {
    expect(await models.rebuild(usage)).toEqual({ events: 0, position: BEGINNING })
    expect(await models.rows(usage)).toEqual([])
  })

  test('ends although events come faster than it reads them', async () => {
    const source = {
      head: () => models.store.head(),
      readAll: async (options: Parameters<typeof models.store.readAll>[0]) => {
        await models.appendToLedger(companyId, charged(companyId))
        return models.store.readAll(options)
      },
    }
    await models.appendToLedger(companyId, granted(companyId))
    await models.rebuild(creditBalances, { source })
    models.run(creditBalances)
    await models.caughtUp(creditBalances)
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
  })

  test('that fails half-way leaves the live model as it was, and the next one works', async () => {
    const runner = models.run(creditBalances)
    await models.appendToLedger(companyId, granted(companyId))
    await models.caughtUp(creditBalances)
    const before = [await models.rows(creditBalances), await positionsOf()]
    const onProgress = () => {
      throw new Error('the power went off')
    }
    await expect(models.rebuild(creditBalances, { onProgress })).rejects.toThrow('the power went off')
    expect([await models.rows(creditBalances), await positionsOf()]).toEqual(before)
    await models.appendToLedger(companyId, charged(companyId))
    await models.caughtUp(creditBalances)
    await models.rebuild(creditBalances)
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
    expect(runner.troubles).toEqual([])
    expect(await schemasLeft()).toEqual([])
  })

  test('ends with a clear error when another one of the same model begins, and spoils nothing', async () => {
    await models.appendToLedger(companyId, granted(companyId), charged(companyId))
    let other: Promise<unknown> | undefined
    const source = {
      head: () => models.store.head(),
      readAll: async (options: Parameters<typeof models.store.readAll>[0]) => {
        other ??= models.rebuild(creditBalances)
        await other
        return models.store.readAll(options)
      },
    }
    await expect(models.rebuild(creditBalances, { source })).rejects.toThrow(
      'another rebuild of credit-balances has begun',
    )
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
  })

  test('of a new version stops the runners of the old one, which say so', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    const old = models.run(creditBalances)
    await models.caughtUp(creditBalances)
    const newer = { ...creditBalances, version: 2 }
    await models.rebuild(newer)
    await models.appendToLedger(companyId, charged(companyId))
    await expect(old.ended).rejects.toThrow(ProjectionVersionDiffers)
    expect((await readCheckpoint(models.database, newer.name))?.version).toBe(2)
    expect(await models.rows(creditBalances)).toMatchObject([{ charges_micros: '0' }])
    models.run(newer)
    await models.caughtUp(newer)
    expect(await models.rows(newer)).toEqual(await models.folded(newer))
  })
})

describe('readers, while a rebuild swaps its table in', () => {
  test('never fail, never see an empty or an older table, in single queries and in snapshots', async () => {
    models.run(creditTransactions)
    await models.appendToLedger(companyId, granted(companyId))
    await models.caughtUp(creditTransactions)
    let isOver = false
    let reads = 0
    const reading = (async () => {
      const count = 'select count(*)::int as rows from read_models.credit_transactions'
      for (let seen = 1; !isOver; reads++) {
        const [now] = await models.database.query<{ rows: number }>(count)
        expect(now?.rows).toBeGreaterThanOrEqual(seen)
        seen = now?.rows ?? 0
        await readModelSnapshot(models.database, [creditTransactions], async (sql) => {
          const positions = (await readCheckpoint(sql, creditTransactions.name))?.positions
          const [rows] = await sql.query<{ rows: number }>(count)
          // One event a position here, so a snapshot's rows are as many as its checkpoint says.
          expect(rows?.rows).toBe(Number(positions?.all))
        })
      }
    })()
    const stopCharging = keepCharging()
    for (let n = 0; n < 5; n++) await models.rebuild(creditTransactions)
    await stopCharging()
    isOver = true
    await reading
    expect(reads).toBeGreaterThan(5)
  })

  test('who took their snapshot before it see what they would have seen, in a hash too', async () => {
    await models.appendToLedger(companyId, granted(companyId), charged(companyId))
    await models.rebuild(creditTransactions)
    const before = await hashProjection(models.database, creditTransactions)
    let rebuilding: Promise<unknown> | undefined
    const slow: typeof models.database = {
      ...models.database,
      transaction: (work, options) =>
        models.database.transaction(
          (sql) =>
            work({
              query: async (text, values) => {
                const rows = await sql.query(text, values)
                if (text.includes('read_models.checkpoints')) {
                  rebuilding ??= models.rebuild(creditTransactions)
                  await Promise.race([rebuilding, waitUntil('the swap waits', waitsForALock)])
                }
                return rows as never
              },
            }),
          options,
        ),
    }
    expect(await hashProjection(slow, creditTransactions)).toEqual(before)
    await rebuilding
    expect(await hashProjection(models.database, creditTransactions)).toEqual(before)
  })

  test('who hold the old table delay the swap, and others read on meanwhile', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    await models.rebuild(creditBalances)
    const release = Promise.withResolvers<void>()
    const holding = models.database.transaction(async (sql) => {
      await sql.query('select * from read_models.credit_balances')
      await release.promise
      return sql.query('select * from read_models.credit_balances')
    })
    let isSwapped = false
    const rebuilding = models.rebuild(creditBalances).then(() => {
      isSwapped = true
    })
    await waitUntil('the swap waits', waitsForALock)
    for (let n = 0; n < 3; n++) {
      const began = performance.now()
      expect(await models.rows(creditBalances)).toHaveLength(1)
      expect(performance.now() - began).toBeLessThan(1_000)
      await waitUntil('the swap waits again', waitsForALock)
    }
    expect(isSwapped).toBe(false)
    release.resolve()
    expect(await holding).toHaveLength(1)
    await rebuilding
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
  })
})
