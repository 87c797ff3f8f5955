import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../../contracts/events/ledger.ts'
import { BEGINNING } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { impatientClock, PAGE_EVENTS, ReadModels, type Running } from '../../test/support/databases/readModels.ts'
import { ScriptedFeed } from '../../test/support/engines/scriptedFeed.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, granted } from '../../test/support/events/ledgerEvents.ts'
import { until } from '../../test/support/time/until.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { type CreditTransactionRow, creditTransactions } from '../creditTransactions/projection.ts'
import type { Projection } from '../projection.ts'
import { usage } from '../usage/projection.ts'
import { IDLE_CHECKPOINT_MS } from './batchLimits.ts'
import { readCheckpoint } from './checkpoints.ts'
import type { Database, Feed } from './ports.ts'
import { hasPassed } from './readAfterWrite.ts'

let models: ReadModels
let companyId: string
beforeEach(async () => {
  models = await ReadModels.open()
  companyId = randomUUID()
})
afterEach(() => models.close())

async function expectRight(...projections: Projection[]) {
  await models.caughtUp(...projections)
  for (const projection of projections) expect(await models.rows(projection)).toEqual(await models.folded(projection))
}

describe('a runner', () => {
  test('brings a new model to the head of the store, and keeps it there', async () => {
    await models.appendToLedger(companyId, granted(companyId), charged(companyId))
    models.run(creditBalances)
    await expectRight(creditBalances)
    await models.appendToLedger(companyId, charged(companyId))
    await expectRight(creditBalances)
    expect(await models.rows(creditBalances)).toMatchObject([{ chargesMicros: '100', balanceMicros: '999900' }])
  })

  test('moves rows and checkpoint together or not at all', async () => {
    const poison = granted(companyId, { reason: 'poison' })
    let isPoisonous = true
    const fragile: Projection<CreditTransactionRow, LedgerEvent> = {
      ...creditTransactions,
      evolve: (row, event, key) => {
        if (isPoisonous && 'reason' in event.data && event.data.reason === 'poison') throw new Error('indigestible')
        return creditTransactions.evolve(row, event, key)
      },
    }
    await models.appendToLedger(companyId, granted(companyId))
    const runner = models.run(fragile)
    await models.caughtUp(fragile)
    const before = { rows: await models.rows(fragile), position: await models.position(fragile) }
    await models.appendToLedger(companyId, granted(companyId), poison, granted(companyId))
    await until('the runner is in trouble', () => runner.troubles.length > 0)
    expect({ rows: await models.rows(fragile), position: await models.position(fragile) }).toEqual(before)
    expect(runner.troubles[0]).toMatchObject({ message: 'indigestible' })

    isPoisonous = false
    await expectRight(fragile)
    expect(await models.rows(fragile)).toHaveLength(4)
  })

  test('writes no row of a batch that another runner committed first, and continues after it', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    let subscriptions = 0
    let other: Running | undefined
    let isLate = false
    const lateFeed: Feed = {
      ...models.feed,
      subscribe: async function* (subscription) {
        subscriptions++
        for await (const batch of models.feed.subscribe(subscription)) {
          if (!other) {
            other = models.run(creditBalances)
            await models.caughtUp(creditBalances)
            await other.stop()
            isLate = true
          }
          yield batch
        }
      },
    }
    const late = models.run(creditBalances, { feed: lateFeed })
    await until('the other one has run', () => isLate)
    await models.chargeCalls(companyId, 5)
    await expectRight(creditBalances)
    expect(late.advances.reduce((sum, { events }) => sum + events, 0)).toBe(5)
    expect(late.troubles).toEqual([])
    expect(subscriptions).toBe(1)
  })

  test('applies only the events of a batch that another runner has not committed', async () => {
    await models.chargeCalls(companyId, 2)
    const other = models.run(creditBalances)
    await models.caughtUp(creditBalances)
    await other.stop()
    await models.chargeCalls(companyId, 3)
    // As delivered to a runner that started before the other one committed.
    const early: Feed = {
      ...models.feed,
      subscribe: async function* ({ categories, signal }) {
        const { events, position } = await models.store.readAll({ after: BEGINNING, categories, limit: 100 })
        yield { partition: 'all', after: BEGINNING, events, position }
        await impatientClock.delay(0, signal)
      },
    }
    const late = models.run(creditBalances, { feed: early })
    await expectRight(creditBalances)
    expect(late.advances.map(({ events }) => events)).toEqual([3])
  })

  test('starts again from the checkpoint after a database crash has moved it back', async () => {
    await models.chargeCalls(companyId, 5)
    const runner = models.run(creditBalances)
    await models.caughtUp(creditBalances)
    const [before] = await models.database.query('select * from read_models.credit_balances')
    const position = await models.position(creditBalances)
    await models.chargeCalls(companyId, 5)
    await models.caughtUp(creditBalances)
    await models.database.transaction(async (sql) => {
      await sql.query('update read_models.credit_balances set charges_micros = $1, balance_micros = $2', [
        before?.chargesMicros,
        before?.balanceMicros,
      ])
      await sql.query('update read_models.checkpoints set position = $1 where projection = $2', [
        position,
        creditBalances.name,
      ])
    })
    await models.chargeCalls(companyId, 1)
    await until('the rows are right again', async () => {
      const [row] = await models.database.query('select * from read_models.credit_balances')
      return row?.chargesMicros === String(11 * 50)
    })
    expect(runner.troubles).toEqual([])
  })

  test('shares a model with a second runner: each batch counts once', async () => {
    const runners = [models.run(creditBalances), models.run(creditBalances)]
    for (let round = 0; round < 15; round++) {
      await models.chargeCalls(companyId, 10)
      await models.caughtUp(creditBalances)
    }
    await expectRight(creditBalances)
    expect(await models.rows(creditBalances)).toMatchObject([{ chargesMicros: String(150 * 50) }])
    for (const runner of runners) await runner.stop()
    const advances = runners.flatMap((runner) => runner.advances)
    expect(new Set(advances.map(({ position }) => position)).size).toBe(advances.length)
    expect(advances.reduce((sum, { events }) => sum + events, 0)).toBe(150)
  })

  test('that is stopped midway leaves a model that the next runner completes', async () => {
    await models.chargeCalls(companyId, PAGE_EVENTS + 100)
    const first = models.run(usage, {
      onAdvanced: (_partition, _position, events) => {
        if (events > 0) void first.stop()
      },
    })
    await first.ended
    const stopped = await models.position(usage)
    expect(stopped).toBe('0000000000001000')
    models.run(usage)
    await expectRight(usage)
  })

  test.each([
    ['waits for an answer', 'while'],
    ['is between two statements', 'between'],
  ])('continues when its connection is killed while it %s', async (_, moment) => {
    await models.appendToLedger(companyId, granted(companyId))
    let kills = 0
    const database: Database = {
      ...models.database,
      transaction: (work, options) =>
        models.database.transaction(async (sql) => {
          const [session] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid')
          return work({
            ...sql,
            query: async (text, values) => {
              // Twice: the step is first tried together with the other models, and then alone.
              if (!text.includes('insert into read_models.credit_balances') || kills++ > 1)
                return sql.query(text, values)
              const waiting = moment === 'while' ? sql.query('select pg_sleep(60)') : Promise.resolve([])
              waiting.catch(() => {})
              await models.database.query('select pg_terminate_backend($1, 5000)', [session?.pid])
              await waiting
              return sql.query(text, values)
            },
          })
        }, options),
    }
    const runner = models.run(creditBalances, { database })
    await until('the runner is in trouble', () => runner.troubles.length > 0)
    await expectRight(creditBalances)
    expect(kills).toBe(3)
  })

  test('stops with a clear error while the model is of another version, and continues once it was rebuilt', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    await models.run(creditBalances).stop()
    const { version } = creditBalances
    const newer = { ...creditBalances, version: version + 1 }
    const changes: string[] = []
    const runner = models.run(newer, {
      onStopped: ({ message }) => void changes.push(message),
      onResumed: () => void changes.push('resumed'),
    })
    await until('it has stopped', () => changes.length > 0)
    const said = `credit-balances is of version ${version}, .* has version ${version + 1}: run "npm run rebuild`
    expect(changes).toEqual([expect.stringMatching(said)])
    await models.rebuild(newer)
    await models.appendToLedger(companyId, charged(companyId))
    await models.caughtUp(newer)
    expect(await models.rows(newer)).toEqual(await models.folded(newer))
    expect(changes).toEqual([expect.stringMatching(said), 'resumed'])
    expect(runner.troubles).toEqual([])
  })

  test('rebuilds a model of an older version and leaves one of a newer version alone', async () => {
    await models.appendToLedger(companyId, granted(companyId), charged(companyId))
    await models.rebuild(creditBalances)
    const newer = { ...creditBalances, version: creditBalances.version + 1 }
    let rebuilds = 0
    const rebuild = (projection: typeof creditBalances) => async () => {
      rebuilds += 1
      await models.rebuild(projection)
    }
    models.run(newer, { rebuild: rebuild(newer) })
    const stops: Error[] = []
    await until('it is rebuilt', async () => {
      const stored = await readCheckpoint(models.database, newer.name)
      return stored?.version === newer.version
    })
    models.run(creditBalances, { rebuild: rebuild(creditBalances), onStopped: (error) => void stops.push(error) })
    await until('the older program has stopped', () => stops.length > 0)
    await models.appendToLedger(companyId, charged(companyId))
    await models.caughtUp(newer)
    expect(await models.rows(newer)).toEqual(await models.folded(newer))
    expect(rebuilds).toBe(1)
  })

  test('skips events of other streams, and stores its position with its own next event', async () => {
    const feed = new ScriptedFeed(['all'], true)
    const own = history(streamName('ledger', companyId), granted(companyId), charged(companyId))
    for (const events of [own.slice(0, 1), [], [], own.slice(1)]) feed.deliver(events)
    const clock = { ...impatientClock, now: () => 0, delay: neverRings }
    const runner = models.run(creditBalances, { feed, clock })
    await until('all is read', async () => (await models.position(creditBalances)) === '0004')
    await runner.stop()
    expect(runner.advances.map(({ position }) => position)).toEqual(['0001', '0004'])
    expect(await models.rows(creditBalances)).toMatchObject([{ chargesMicros: '50' }])
  })

  test('stores its position after a while if none of its events arrive', async () => {
    const feed = new ScriptedFeed(['all'], true)
    const own = history(streamName('ledger', companyId), granted(companyId))
    for (const events of [own, [], []]) feed.deliver(events)
    const waits: number[] = []
    const ring = Promise.withResolvers<void>()
    const delay = (ms: number, signal?: AbortSignal) => {
      if (ms !== IDLE_CHECKPOINT_MS) return impatientClock.delay(ms, signal)
      waits.push(ms)
      return ring.promise
    }
    const runner = models.run(creditBalances, { feed, clock: { now: () => 0, delay } })
    await until('it waits with it', () => waits.length > 0)
    expect(await models.position(creditBalances)).toBe('0001')
    ring.resolve()
    await until('it is stored', async () => (await models.position(creditBalances)) === '0003')
    expect(runner.advances.map(({ position }) => position)).toEqual(['0001', '0003'])
  })
})

/** Short delays end, but the one for an idle checkpoint never does. */
function neverRings(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms < IDLE_CHECKPOINT_MS || signal?.aborted) return impatientClock.delay(ms, signal)
  return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
}

describe('reading after a write', () => {
  test('waits until the model has passed the event', async () => {
    models.run(creditBalances)
    const { position } = await models.appendToLedger(companyId, granted(companyId))
    expect(await hasPassed(models.database, creditBalances.name, position, impatientClock)).toBe(true)
    expect(await models.rows(creditBalances)).toHaveLength(1)
  })

  test('gives up after two seconds when no projector runs', async () => {
    const { position } = await models.appendToLedger(companyId, granted(companyId))
    let now = 0
    const clock = {
      now: () => now,
      delay: async (ms: number) => {
        now += ms
      },
    }
    expect(await hasPassed(models.database, creditBalances.name, position, clock)).toBe(false)
    expect(now).toBe(2_000)
  })
})
