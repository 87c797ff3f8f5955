import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReadModelHealth } from '../../capabilities/readModels/readModelHealth.ts'
import type { NewEvent, RecordedEvent } from '../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { EVENTS_PER_APPEND_MAX } from '../../platform/eventStore/eventGuard.ts'
import { openEventStoreDb } from '../../platform/eventStore/eventStoreDb/eventStoreDb.ts'
import type { TypedEventStore } from '../../platform/eventStore/port.ts'
import { withUpcasting } from '../../platform/eventStore/upcasting.ts'
import { storeFeed } from '../../platform/feed/storeFeed.ts'
import { systemIds } from '../../platform/ids/ids.ts'
import type { PostgresDatabase } from '../../platform/postgres/database.ts'
import { HISTORY_PROJECTIONS, PROJECTIONS } from '../../projections/catalogue.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import { creditTransactions } from '../../projections/creditTransactions/projection.ts'
import { applyEvents, type Projection, type Row } from '../../projections/projection.ts'
import { CATCH_UP_EVENTS_MIN, STEP_EVENTS_MIN } from '../../projections/runner/catchUp.ts'
import { lowestPositions } from '../../projections/runner/checkpoints.ts'
import { hashProjection } from '../../projections/runner/hash.ts'
import { rebuildProjection } from '../../projections/runner/rebuild.ts'
import { usageByCompany } from '../../projections/usageByCompany/projection.ts'
import { balanceOf, chatOnce } from '../crash/demoCalls.ts'
import { createTestDatabase } from '../support/databases/database.ts'
import { patientDatabase } from '../support/databases/patientDatabase.ts'
import { inKeyOrder } from '../support/databases/readModels.ts'
import { aPrefix } from '../support/eventStores/eventStoreServer.ts'
import { describeWithEventStore } from '../support/eventStores/eventStoreSuite.ts'
import { anEventOf } from '../support/events/history.ts'
import { charged } from '../support/events/ledgerEvents.ts'
import { type Installation, makeInstallation } from '../support/harness/installation.ts'
import { until } from '../support/time/until.ts'

const CAUGHT_UP_MS_MAX = 60_000
const COMPANIES = 3
/** After the first step of the history, enough is left to be caught up with together again. */
const EVENTS = STEP_EVENTS_MIN + CATCH_UP_EVENTS_MIN + 1_000
const COPIES = 50

const history = new Set(HISTORY_PROJECTIONS)
const deciding = PROJECTIONS.filter((projection) => !history.has(projection))
/** Kept from moving, so that the first start stays in the middle of its history until it is killed. */
const HELD = creditTransactions

describeWithEventStore('an installation on EventStoreDB that is thousands of events behind', (url) => {
  let database: PostgresDatabase
  let store: TypedEventStore
  let installation: Installation
  const closers: (() => Promise<unknown>)[] = []

  beforeEach(async () => {
    const prefix = aPrefix()
    const testDatabase = await createTestDatabase()
    closers.push(testDatabase.drop)
    database = patientDatabase({ url: testDatabase.url, connectionsMax: 4 })
    closers.push(() => database.close())
    const log = pino({ enabled: false })
    store = withUpcasting(openEventStoreDb(url, { clock: systemClock, ids: systemIds, prefix, log }))
    closers.push(() => store.close())
    const engines = { DATABASE_URL: testDatabase.url, EVENTSTORE_URL: url, EVENTSTORE_PREFIX: prefix }
    installation = await makeInstallation({ ...engines, SANDBOX: '1' })
    closers.push(() => installation.stop())
  })
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  /** Charges that no read model has seen. Some are stored twice: in the same page of a reader, and pages apart. */
  async function appendCharges(companyId: string, count: number): Promise<void> {
    const stream = streamName('ledger', companyId)
    const appendAgain = async (events: readonly NewEvent[], revision: number) => {
      // The server recognises an event that it holds only at the revision where it was stored.
      const { repeated } = await store.append(stream, revision, events)
      expect(repeated).toBe(false)
    }
    let early: NewEvent[] = []
    let revision = 0
    for (let left = count; left > 0; left -= EVENTS_PER_APPEND_MAX) {
      const size = Math.min(left, EVENTS_PER_APPEND_MAX)
      const events = Array.from({ length: size }, () => anEventOf(charged(companyId)))
      revision = (await store.append(stream, 'any', events)).revision
      if (early.length > 0) continue
      early = events.slice(0, COPIES)
      await appendAgain(early, revision)
    }
    await appendAgain(early, revision)
  }

  async function storedLedgers(): Promise<{ all: RecordedEvent[]; once: RecordedEvent[] }> {
    const all: RecordedEvent[] = []
    for (let after = BEGINNING; ; ) {
      const page = await store.readAll({ after, categories: ['ledger'], limit: 1_000 })
      if (page.position === after) break
      all.push(...page.events)
      after = page.position
    }
    return { all, once: [...new Map(all.toReversed().map((event) => [event.id, event])).values()].toReversed() }
  }

  /** Locks the checkpoint of a model until it is released. */
  async function hold({ name }: Projection): Promise<() => Promise<void>> {
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holding = database.transaction(async (sql) => {
      await sql.query('select 1 from read_models.checkpoints where projection = $1 for update', [name])
      held.resolve()
      await released.promise
    })
    await Promise.race([held.promise, holding])
    const release = async () => {
      released.resolve()
      await holding
    }
    // A test that fails meanwhile must not leave an installation that waits for it.
    closers.push(release)
    return release
  }

  async function positionsOf(projections: readonly Projection[]): Promise<Position[]> {
    const positions = await lowestPositions(database, projections)
    return projections.map(({ name }) => positions.get(name) ?? BEGINNING)
  }
  /** Not all of them pass what does not concern them at once. */
  async function arePast(position: Position, projections: readonly Projection[]): Promise<boolean> {
    return (await positionsOf(projections)).every((reached) => reached >= position)
  }

  async function readModelHealth(): Promise<ReadModelHealth> {
    const answer = await fetch(`${installation.demo.backendUrl}/health`)
    return ((await answer.json()) as { components: { read_models: ReadModelHealth } }).components.read_models
  }

  const rowsOf = async <R extends Row>(projection: Projection<R>) =>
    inKeyOrder(projection, (await database.query(`select * from read_models.${projection.table}`)) as R[])

  const hashes = async () => {
    const found = PROJECTIONS.map(async (model) => [model.name, (await hashProjection(database, model))?.hash] as const)
    return Object.fromEntries(await Promise.all(found))
  }

  test('serves once what decides is current, is killed, and ends with the models of a rebuild', async () => {
    await installation.startAgain()
    const { companyId } = installation.demo
    const isPriced = () => database.query("select 1 from read_models.credit_packs where status = 'ACTIVE'")
    await until('the demo credit pack has its price', async () => (await isPriced()).length > 0)
    await installation.interrupt()
    const companies = [companyId, ...Array.from({ length: COMPANIES - 1 }, () => randomUUID())]
    await Promise.all(companies.map((id) => appendCharges(id, Math.ceil(EVENTS / COMPANIES))))
    const head = await store.head()
    const [before = BEGINNING] = (await positionsOf(HISTORY_PROJECTIONS)).toSorted()
    const firstStep = await store.readAll({ after: before, limit: STEP_EVENTS_MIN })

    const release = await hold(HELD)
    await installation.startAgain()
    const [reached = BEGINNING] = (await positionsOf(deciding)).toSorted()
    expect(await store.eventsAfter(reached)).toBeLessThan(CATCH_UP_EVENTS_MIN)
    await until('the models that requests are decided by are current', () => arePast(head, deciding))
    const others = HISTORY_PROJECTIONS.filter((projection) => projection !== HELD)
    await until('the others have stored the first step', () => arePast(firstStep.position, others))
    // All were given the same pages, and none goes on before each has stored them.
    const [position = BEGINNING, ...further] = new Set(await positionsOf(others))
    expect(further).toEqual([])
    expect(await store.eventsAfter(position)).toBeGreaterThanOrEqual(CATCH_UP_EVENTS_MIN)
    expect(await arePast(firstStep.position, [HELD])).toBe(false)
    const health = await until('the health has been read again', async () => {
      const found = await readModelHealth()
      return found.behind.length === HISTORY_PROJECTIONS.length && found
    })
    expect(health.behind.toSorted()).toEqual(HISTORY_PROJECTIONS.map(({ name }) => name).toSorted())
    expect(health.status).toBe('degraded')
    expect(health.lag_events).toBeGreaterThanOrEqual(EVENTS)
    expect(health.percent).toBeGreaterThan(50)
    expect(health.percent).toBeLessThan(100)
    await chatOnce(installation)

    await installation.kill9()
    await release()
    expect(await arePast(firstStep.position, [HELD])).toBe(false)
    await installation.startAgain()
    const end = await store.head()
    await until('every model is current', () => arePast(end, PROJECTIONS), CAUGHT_UP_MS_MAX)
    await until('the health says so', async () => (await readModelHealth()).status === 'healthy')

    const { all, once } = await storedLedgers()
    expect(all.length - once.length).toBe(2 * COPIES * companies.length)
    for (const projection of [creditBalances, creditTransactions, usageByCompany] as Projection[]) {
      const folded = [...applyEvents(projection, once).values()]
      expect(await rowsOf(projection)).toEqual(inKeyOrder(projection, folded))
    }
    const [balance] = (await rowsOf(creditBalances)).filter((row) => row.companyId === companyId)
    expect(await balanceOf(installation)).toBe(Number(balance?.balanceMicros) / 1_000_000)

    await installation.interrupt()
    const caughtUp = await hashes()
    const feed = storeFeed(store)
    for (const projection of PROJECTIONS) {
      const partitions = feed.partitionsOf(projection.categories)
      const runtime = { clock: systemClock, ids: systemIds }
      const { idsAreUnique } = feed
      await rebuildProjection({ ...runtime, projection, database, source: store, partitions, idsAreUnique })
    }
    expect(await hashes()).toEqual(caughtUp)
  })
})
