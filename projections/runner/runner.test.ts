import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../contracts/limits.ts'
import { streamName } from '../../contracts/streams.ts'
import { history } from '../../test/support/history.ts'
import { charged, granted } from '../../test/support/ledgerEvents.ts'
import { impatientClock, ReadModels } from '../../test/support/readModels.ts'
import { ScriptedFeed } from '../../test/support/scriptedFeed.ts'
import { until } from '../../test/support/until.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { creditTransactions } from '../creditTransactions/projection.ts'
import type { Projection } from '../projection.ts'
import { usage } from '../usage/projection.ts'
import type { Database, Feed } from './ports.ts'
import { hasPassed } from './readAfterWrite.ts'
import { ProjectionVersionDiffers } from './runner.ts'

let models: ReadModels
let companyId: string
beforeEach(async () => {
  models = await ReadModels.open()
  companyId = randomUUID()
})
afterEach(() => models.close())

async function chargeCalls(count: number) {
  for (let left = count; left > 0; left -= LIMITS.eventsPerAppendMax) {
    const size = Math.min(left, LIMITS.eventsPerAppendMax)
    await models.appendToLedger(companyId, ...Array.from({ length: size }, () => charged(companyId)))
  }
}

async function expectRight(...projections: Projection[]) {
  await models.caughtUp(...projections)
  for (const projection of projections) expect(await models.rows(projection)).toEqual(await models.folded(projection))
}

describe('a runner', () => {
  test('brings a new model to where the store stands, and keeps it there', async () => {
    await models.appendToLedger(companyId, granted(companyId), charged(companyId))
    models.run(creditBalances)
    await expectRight(creditBalances)
    await models.appendToLedger(companyId, charged(companyId))
    await expectRight(creditBalances)
    expect(await models.rows(creditBalances)).toMatchObject([{ charges_micros: '100', balance_micros: '999900' }])
  })

  test('moves rows and checkpoint together or not at all', async () => {
    const poison = granted(companyId, { reason: 'poison' })
    let isPoisonous = true
    const fragile: Projection = {
      ...creditTransactions,
      evolve: (row, event, key) => {
        if (isPoisonous && event.data.reason === 'poison') throw new Error('indigestible')
        return creditTransactions.evolve(row as never, event, key)
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

  test('writes no row of a batch that another one committed first', async () => {
    await models.appendToLedger(companyId, granted(companyId))
    let subscriptions = 0
    const lateFeed: Feed = {
      ...models.feed,
      subscribe: async function* (subscription) {
        subscriptions++
        for await (const batch of models.feed.subscribe(subscription)) {
          models.run(creditBalances)
          await models.caughtUp(creditBalances)
          yield batch
        }
      },
    }
    const late = models.run(creditBalances, { feed: lateFeed })
    await until('the late one begins again', () => subscriptions === 2)
    expect(late.advances).toEqual([])
    expect(late.troubles).toEqual([])
    await expectRight(creditBalances)
  })

  test('shares a model with a second one: each batch counts once, whoever wrote it', async () => {
    const runners = [models.run(creditBalances), models.run(creditBalances)]
    for (let round = 0; round < 15; round++) {
      await chargeCalls(10)
      await models.caughtUp(creditBalances)
    }
    await expectRight(creditBalances)
    expect(await models.rows(creditBalances)).toMatchObject([{ charges_micros: String(150 * 50) }])
    for (const runner of runners) await runner.stop()
    const advances = runners.flatMap((runner) => runner.advances)
    expect(new Set(advances.map(({ position }) => position)).size).toBe(advances.length)
    expect(advances.reduce((sum, { events }) => sum + events, 0)).toBe(150)
  })

  test('that is stopped in the middle leaves a model that the next one finishes', async () => {
    await chargeCalls(LIMITS.readPageEventsMax + 100)
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
  ])('goes on when its connection is killed while it %s', async (_, moment) => {
    await models.appendToLedger(companyId, granted(companyId))
    let kills = 0
    const database: Database = {
      ...models.database,
      transaction: (work, options) =>
        models.database.transaction(async (sql) => {
          const [session] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid')
          return work({
            query: async (text, values) => {
              if (!text.includes('insert into read_models.credit_balances') || kills++ > 0)
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
    expect(kills).toBe(2)
  })

  test('stops with a clear error when the model is of another version', async () => {
    await models.run(creditBalances).stop()
    const newer = models.run({ ...creditBalances, version: 2 })
    await expect(newer.ended).rejects.toThrow(ProjectionVersionDiffers)
    await expect(newer.ended).rejects.toThrow(/credit-balances is of version 1, .* has version 2: run "npm run rebuild/)
    expect(newer.troubles).toEqual([])
  })

  test.each([
    ['is written with the next own events', 0, ['0001', '0004']],
    ['is written by itself after a while', LIMITS.idleCheckpointMs, ['0001', '0002', '0003', '0004']],
  ])('moves over events of other streams, and where it stands %s', async (_, msBetween, written) => {
    const feed = new ScriptedFeed(['all'], true)
    const own = history(streamName('ledger', companyId), granted(companyId), charged(companyId))
    for (const events of [own.slice(0, 1), [], [], own.slice(1)]) feed.deliver(events)
    let now = 0
    const clock = {
      ...impatientClock,
      now: () => {
        now += msBetween
        return now
      },
    }
    const runner = models.run(creditBalances, { feed, clock })
    await until('all is read', async () => (await models.position(creditBalances)) === '0004')
    await runner.stop()
    expect(runner.advances.map(({ position }) => position)).toEqual(written)
    expect(await models.rows(creditBalances)).toMatchObject([{ charges_micros: '50' }])
  })
})

describe('reading after a write', () => {
  test('waits until the model has passed the event', async () => {
    models.run(creditBalances)
    const { position } = await models.appendToLedger(companyId, granted(companyId))
    expect(await hasPassed(models.database, creditBalances.name, position, impatientClock)).toBe(true)
    expect(await models.rows(creditBalances)).toHaveLength(1)
  })

  test('gives up after two seconds when nobody projects', async () => {
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
