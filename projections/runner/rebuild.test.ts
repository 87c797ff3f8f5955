import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BEGINNING } from '../../contracts/position.ts'
import { ReadModels } from '../../test/support/databases/readModels.ts'
import { charged, granted } from '../../test/support/events/ledgerEvents.ts'
import { until } from '../../test/support/time/until.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { usage } from '../usage/projection.ts'
import { readCheckpoint } from './checkpoints.ts'
import type { EventSource } from './ports.ts'

let models: ReadModels
let companyId: string
beforeEach(async () => {
  models = await ReadModels.open()
  companyId = randomUUID()
})
afterEach(() => models.close())

const positionsOf = async () => (await readCheckpoint(models.database, creditBalances.name))?.positions
const schemasLeft = () => models.database.query("select nspname from pg_namespace where nspname like 'rebuild%'")

describe('a rebuild', () => {
  test('builds a model that never ran, and its runner continues from there', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    const { events, position } = await models.rebuild(creditBalances)
    expect({ events, position }).toEqual({ events: 1, position: await models.store.head() })
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
    const runner = models.run(creditBalances)
    await models.appendToLedger(companyId, charged(companyId))
    await models.caughtUp(creditBalances)
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
    await runner.stop()
    expect(runner.advances).toHaveLength(1)
  })

  test('of an empty store gives an empty model', async () => {
    expect(await models.rebuild(usage)).toEqual({ events: 0, position: BEGINNING })
    expect(await models.rows(usage)).toEqual([])
  })

  test('ends even if events arrive faster than it reads them', async () => {
    const source: EventSource = {
      head: () => models.store.head(),
      readAll: async (options) => {
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

  test('includes what the live model has reached meanwhile, so that readers never see older rows', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    const runner = models.run(creditBalances)
    let pages = 0
    const source: EventSource = {
      head: () => models.store.head(),
      readAll: async (options) => {
        const page = await models.store.readAll(options)
        if (++pages > 1) return page
        await models.appendToLedger(companyId, charged(companyId))
        await models.caughtUp(creditBalances)
        await runner.stop()
        return page
      },
    }
    await models.rebuild(creditBalances, { source })
    expect(await models.rows(creditBalances)).toMatchObject([{ chargesMicros: '50' }])
  })

  test.each(['ran', 'never ran'])('blocks runners while it swaps in a model that %s', async (before) => {
    await models.appendToLedger(companyId, granted(companyId))
    const run = () => models.run(creditBalances)
    let runner = before === 'ran' ? run() : undefined
    if (runner) await models.caughtUp(creditBalances)
    let heads = 0
    const source: EventSource = {
      readAll: (options) => models.store.readAll(options),
      head: async () => {
        const head = await models.store.head()
        if (++heads === 2) {
          const reached = await models.position(creditBalances)
          await models.appendToLedger(companyId, charged(companyId))
          runner ??= run()
          const hasMoved = async () => (await models.position(creditBalances)) !== reached
          await until('the runner waits or moves', async () => (await models.waitsForALock()) || hasMoved())
          expect(await hasMoved()).toBe(false)
        }
        return head
      },
    }
    await models.rebuild(creditBalances, { source })
    expect(heads).toBe(2)
    await models.caughtUp(creditBalances)
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
    expect(runner?.troubles).toEqual([])
  })

  test('that fails halfway leaves the live model unchanged, and the next rebuild works', async () => {
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

  test('is refused while another one of the model is running; one of another model is not', async () => {
    await models.appendToLedger(companyId, granted(companyId), charged(companyId))
    const reads = Promise.withResolvers<void>()
    const mayRead = Promise.withResolvers<void>()
    const slow: EventSource = {
      head: () => models.store.head(),
      readAll: async (options) => {
        reads.resolve()
        await mayRead.promise
        return models.store.readAll(options)
      },
    }
    const first = models.rebuild(creditBalances, { source: slow })
    await reads.promise
    const another = models.connect()
    await expect(models.rebuild(creditBalances, { database: another })).rejects.toThrow(
      'another rebuild of credit-balances is under way: wait until it has ended',
    )
    await another.close()
    await models.rebuild(usage)
    mayRead.resolve()
    await first
    expect(await models.rows(creditBalances)).toEqual(await models.folded(creditBalances))
    await models.rebuild(creditBalances)
    expect(await schemasLeft()).toEqual([])
  })

  test('that is aborted leaves the live model and no schema', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    await models.rebuild(creditBalances)
    const stopping = new AbortController()
    const source: EventSource = {
      head: () => models.store.head(),
      readAll: (options) => {
        stopping.abort()
        return models.store.readAll({ ...options, limit: 1 })
      },
    }
    await models.appendToLedger(companyId, charged(companyId))
    const { signal } = stopping
    await expect(models.rebuild(creditBalances, { source, signal })).rejects.toThrow('aborted')
    expect(await models.rows(creditBalances)).toMatchObject([{ chargesMicros: '0' }])
    expect(await schemasLeft()).toEqual([])
  })

  test('of outdated models leaves one that is current or of a newer version as it is', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    await models.rebuild(creditBalances)
    const of = (version: number) => ({ ...creditBalances, version })
    const { version } = creditBalances
    // Another process may have rebuilt it, or a newer program may have started, since it was found outdated.
    expect(await models.rebuildOutdated(creditBalances)).toBeNull()
    expect(await models.rebuildOutdated(of(version - 1))).toBeNull()
    expect((await readCheckpoint(models.database, creditBalances.name))?.version).toBe(version)
    expect(await models.rebuildOutdated(of(version + 1))).toMatchObject({ events: 1 })
    expect((await readCheckpoint(models.database, creditBalances.name))?.version).toBe(version + 1)
  })

  test('of a new version stops the runners of the old version', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    const stops: Error[] = []
    models.run(creditBalances, { onStopped: (error) => void stops.push(error) })
    await models.caughtUp(creditBalances)
    const newer = { ...creditBalances, version: creditBalances.version + 1 }
    await models.rebuild(newer)
    await models.appendToLedger(companyId, charged(companyId))
    await until('the old runner has stopped', () => stops.length > 0)
    expect((await readCheckpoint(models.database, newer.name))?.version).toBe(newer.version)
    expect(await models.rows(creditBalances)).toMatchObject([{ chargesMicros: '0' }])
    models.run(newer)
    await models.caughtUp(newer)
    expect(await models.rows(newer)).toEqual(await models.folded(newer))
  })
})
