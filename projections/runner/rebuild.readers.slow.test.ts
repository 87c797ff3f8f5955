import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { charged, granted } from '../../test/support/events/ledgerEvents.ts'
import { until } from '../../test/support/time/until.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { creditTransactions } from '../creditTransactions/projection.ts'
import { readCheckpoint } from './checkpoints.ts'
import { hashProjection } from './hash.ts'
import { readModelSnapshot } from './snapshot.ts'

let models: ReadModels
let companyId: string
beforeEach(async () => {
  models = await ReadModels.open()
  companyId = randomUUID()
})
afterEach(() => models.close())

describe('readers during the swap of a rebuild', () => {
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
          // Each event has one position here, so a snapshot has as many rows as its checkpoint says.
          expect(rows?.rows).toBe(Number(positions?.all))
        })
      }
    })()
    const stopCharging = models.keepCharging(companyId)
    for (let n = 0; n < 5; n++) await models.rebuild(creditTransactions)
    await stopCharging()
    isOver = true
    await reading
    expect(reads).toBeGreaterThan(5)
  })

  test('with an earlier snapshot see the rows of that snapshot, in a hash too', async () => {
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
              ...sql,
              query: async (text, values) => {
                const rows = await sql.query(text, values)
                if (text.includes('read_models.checkpoints')) {
                  rebuilding ??= models.rebuild(creditTransactions)
                  await Promise.race([rebuilding, until('the swap waits', () => models.waitsForALock())])
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

  test('that lock the old table delay the swap, and other readers continue', async () => {
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
    await until('the swap waits', () => models.waitsForALock())
    for (let n = 0; n < 3; n++) {
      // The swap gives its own lock up after SWAP_LOCK_TIMEOUT_MS; otherwise this would wait until the swap has its turn,
      // which is after the end of the loop.
      expect(await models.rows(creditBalances)).toHaveLength(1)
      await until('the swap waits again', () => models.waitsForALock())
    }
    expect(isSwapped).toBe(false)
    release.resolve()
    expect(await holding).toHaveLength(1)
    await rebuilding
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
  })
})
