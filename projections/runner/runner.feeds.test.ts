import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Recorded, RecordedEvent } from '../../contracts/envelope.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../contracts/position.ts'
import { type Category, categoryOf, streamName } from '../../contracts/streams.ts'
import { inKeyOrder, ReadModels } from '../../test/support/databases/readModels.ts'
import { ScriptedFeed } from '../../test/support/engines/scriptedFeed.ts'
import { everyStream } from '../../test/support/eventStores/everyStream.ts'
import { history } from '../../test/support/events/history.ts'
import { charged, granted, refunded, reversed } from '../../test/support/events/ledgerEvents.ts'
import { until } from '../../test/support/time/until.ts'
import { PROJECTIONS } from '../catalogue.ts'
import { creditBalances } from '../creditBalances/projection.ts'
import { applyEvents, type Projection } from '../projection.ts'
import { usage } from '../usage/projection.ts'
import { readCheckpoint } from './checkpoints.ts'
import type { EventSource } from './ports.ts'
import { prepareProjection } from './runner.ts'

const folded = (projection: Projection, events: Iterable<RecordedEvent>) => [
  ...applyEvents(projection, events).values(),
]

function ledgerOf(companyId: string): RecordedEvent[] {
  const charge = charged(companyId)
  const events = [granted(companyId), charge, charged(companyId), reversed(charge), refunded(companyId)]
  return history(streamName('ledger', companyId), ...events)
}

describe('a feed that can deliver an event id twice', () => {
  // Every test has its own read model.
  let models: ReadModels
  beforeAll(async () => {
    models = await ReadModels.open()
  })
  afterAll(() => models.close())

  const all = everyStream().flatMap(({ stream, events }) => history(stream, ...events))
  const eventsOf = ({ categories }: Projection) =>
    all.filter((event) => (categories as readonly string[]).includes(categoryOf(event.stream)))

  test.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))(
    'changes nothing in %s the second time, in the same batch or a later one',
    async (_, projection) => {
      const feed = new ScriptedFeed(['all'], false)
      const events = eventsOf(projection)
      feed.deliver([...events, ...events])
      // All but the last one: a repetition must not undo what came after the event.
      const { position } = feed.deliver(events.slice(0, -1))
      const runner = models.run(projection, { feed })
      await until('all is read', async () => (await models.position(projection)) === position)
      expect(await models.rows(projection)).toEqual(inKeyOrder(projection, folded(projection, events)))
      await runner.stop()
    },
  )

  test('is counted once in a rebuild and after it', async () => {
    const feed = new ScriptedFeed(['all'], false)
    const events = eventsOf(creditBalances)
    const { position } = feed.deliver([...events, ...events])
    const source: EventSource = {
      head: async () => position,
      readAll: async <C extends Category>({ after }: { after: Position }) => ({
        events: (after === position ? [] : [...events, ...events]) as Recorded<EventOf<C>>[],
        position,
      }),
    }
    await models.rebuild(creditBalances, { source, idsAreUnique: false })
    expect(await models.rows(creditBalances)).toEqual(folded(creditBalances, events))
    const { position: end } = feed.deliver(events)
    models.run(creditBalances, { feed })
    await until('all is read', async () => (await models.position(creditBalances)) === end)
    expect(await models.rows(creditBalances)).toEqual(folded(creditBalances, events))
  })
})

describe('a feed with three partitions', () => {
  let models: ReadModels
  beforeEach(async () => {
    models = await ReadModels.open()
  })
  afterEach(() => models.close())

  const partitions = ['ledger-0', 'ledger-1', 'ledger-2']
  const ledgers = partitions.map(() => ledgerOf(randomUUID()))

  test('is followed by one runner, which resumes each partition where it was', async () => {
    const feed = new ScriptedFeed(partitions, true)
    for (const half of [0, 1]) {
      ledgers.forEach((ledger, index) => {
        for (const event of half === 0 ? ledger.slice(0, 2) : ledger.slice(2)) feed.deliver([event], partitions[index])
      })
    }
    const first = models.run(usage, { feed, onAdvanced: () => void first.stop() })
    await first.ended
    const halfway = Object.values(await positionsOf(usage))
    expect(halfway.some((position) => position > '')).toBe(true)
    expect(halfway.some((position) => position < '0005')).toBe(true)
    models.run(usage, { feed })
    await allAre('0005', usage)
    expect(await models.rows(usage)).toEqual(inKeyOrder(usage, folded(usage, ledgers.flat())))
  })

  test('continues in the other partitions while one does not advance', async () => {
    const feed = new ScriptedFeed(partitions, true)
    ledgers.forEach((ledger, index) => {
      for (const event of ledger) feed.deliver([event], partitions[index])
    })
    await prepareProjection(models.database, usage, partitions)
    const stranger = models.connect()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    const holding = stranger.transaction(async (sql) => {
      await sql.query("select from read_models.checkpoints where partition = 'ledger-0' for update")
      hold()
      await released
    })
    await held
    models.run(usage, { feed })
    await until('the others are read', async () => {
      const positions = await positionsOf(usage)
      return positions['ledger-1'] === '0005' && positions['ledger-2'] === '0005'
    })
    expect((await positionsOf(usage))['ledger-0']).toBe('')
    release()
    await holding
    await allAre('0005', usage)
    await stranger.close()
    expect(await models.rows(usage)).toEqual(inKeyOrder(usage, folded(usage, ledgers.flat())))
  })

  test('continues a model that was read from one partition', async () => {
    const companyId = randomUUID()
    await models.appendToLedger(companyId, granted(companyId), charged(companyId))
    const whole = models.run(creditBalances)
    await models.caughtUp(creditBalances)
    await whole.stop()
    const position = await models.position(creditBalances)
    const feed = new ScriptedFeed(partitions, true)
    const runner = models.run(creditBalances, { feed })
    await until('it is divided', async () => Object.keys(await positionsOf(creditBalances)).length === 3)
    expect(Object.values(await positionsOf(creditBalances))).toEqual([position, position, position])
    expect(runner.troubles).toEqual([])
  })

  test('is refused with a reason when the model has different positions in other partitions', async () => {
    const before = new ScriptedFeed(['a', 'b'], true)
    before.deliver(ledgers[0] ?? [], 'a')
    const first = models.run(creditBalances, { feed: before })
    await until('a is read', async () => (await positionsOf(creditBalances)).a === '0001')
    await first.stop()
    const stops: Error[] = []
    const onStopped = (error: Error) => void stops.push(error)
    models.run(creditBalances, { feed: new ScriptedFeed(partitions, true), onStopped })
    await until('the runner has stopped', () => stops.length > 0)
    expect(stops[0]?.message).toContain('npm run rebuild -- credit-balances')
  })

  const positionsOf = async ({ name }: Projection) => (await readCheckpoint(models.database, name))?.positions ?? {}
  const allAre = (position: string, projection: Projection) =>
    until('all is read', async () => {
      const positions = await positionsOf(projection)
      return partitions.every((partition) => positions[partition] === position)
    })
})
