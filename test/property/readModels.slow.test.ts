import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { RecordedEvent } from '../../contracts/envelope.ts'
import { streamName } from '../../contracts/streams.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { PostgresEventStore } from '../../platform/eventStore/postgres/postgresEventStore.ts'
import { withUpcasting } from '../../platform/eventStore/upcasting.ts'
import { PROJECTIONS } from '../../projections/catalogue.ts'
import { creditBalances } from '../../projections/creditBalances/projection.ts'
import type { Projection } from '../../projections/projection.ts'
import { hashProjection } from '../../projections/runner/hash.ts'
import { GRANULARITIES } from '../../projections/usage/callCounts.ts'
import { usage } from '../../projections/usage/projection.ts'
import { ReadModels } from '../support/databases/readModels.ts'
import { collect } from '../support/events/events.ts'
import { type Plan, plan, type Step } from './plan.ts'
import { World } from './world.ts'

const NAMES = PROJECTIONS.map((projection) => projection.name)
const named = (names: readonly string[]) => PROJECTIONS.filter((projection) => names.includes(projection.name))

/** On a slow machine fewer plans are tried, rather than the test timing out. */
const RUNS_MS_MAX = 20_000
const RUNS = { numRuns: 40, interruptAfterTimeLimit: RUNS_MS_MAX }

/** fast-check stops waiting for a run at its time limit; the run itself must end before its database server does. */
let underWay: Promise<void> = Promise.resolve()
afterEach(() => underWay.catch(() => {}))

const anyInterleaving = fc.asyncProperty(
  plan,
  fc.subarray(NAMES),
  fc.subarray(NAMES, { maxLength: 2 }),
  (planned, contested, rebuiltMeanwhile) => {
    underWay = carryOut(planned, named(contested), named(rebuiltMeanwhile))
    return underWay
  },
)

test('ledger and read models are right after any interleaving of commands', async () => {
  await fc.assert(anyInterleaving, RUNS)
})

async function carryOut(planned: Plan, contested: Projection[], rebuiltMeanwhile: Projection[]): Promise<void> {
  const models = await ReadModels.open()
  const database = models.connect()
  const otherStore = withUpcasting(new PostgresEventStore(database, systemClock))
  try {
    const transactions = models.anotherProcess()
    for (const projection of PROJECTIONS) models.run(projection)
    for (const projection of contested) models.run(projection, { transactions })
    const world = new World(planned, [models.store, otherStore])
    await Promise.all([world.run(), ...rebuiltMeanwhile.map((projection) => models.rebuild(projection))])
    await models.caughtUp(...PROJECTIONS)
    await expectTheBooksRight(planned, world, models)
    await expectModelsRight(models)
  } finally {
    await otherStore.close()
    await database.close()
    await models.close()
  }
}

async function expectTheBooksRight(planned: Plan, world: World, models: ReadModels): Promise<void> {
  const balances = new Map((await models.rows(creditBalances)).map((row) => [row.companyId, row]))
  for (const [company, companyId] of world.companies.entries()) {
    const events = await collect(models.store.readStream(streamName('ledger', companyId)))
    const grants = plannedNumbers(planned, company, 'grant').reduce(
      (sum, n) => sum + (planned.grantMicros[n] ?? 0n),
      0n,
    )
    const refunds = plannedNumbers(planned, company, 'refund').reduce(
      (sum, n) => sum + (planned.refundMicros[n] ?? 0n),
      0n,
    )
    const adjustments = plannedNumbers(planned, company, 'adjust').reduce(
      (sum, n) => sum + world.adjustmentMicros(n),
      0n,
    )
    const outcomes = expectOneOutcomeACall(planned, world, company, events)
    const charges = outcomes.charged.reduce((sum, n) => sum + world.costMicros(n), 0n)
    const reversals = outcomes.reversed.reduce((sum, n) => sum + world.costMicros(n), 0n)
    if (events.length === 0) expect(balances.has(companyId)).toBe(false)
    else {
      expect(balances.get(companyId)).toMatchObject({
        grantsMicros: grants.toString(),
        chargesMicros: charges.toString(),
        reversalsMicros: reversals.toString(),
        refundsMicros: refunds.toString(),
        adjustmentsMicros: adjustments.toString(),
        settlementsMicros: '0',
        balanceMicros: (grants - charges + reversals - refunds + adjustments).toString(),
      })
    }
  }
  const firsts = world.bookings.filter((booking) => !booking.repeated).map((booking) => booking.eventId)
  const ids = new Set(world.bookings.map((booking) => booking.eventId))
  expect(firsts.toSorted()).toEqual([...ids].toSorted())
}

/** Every call that was tried is charged or failed, once; only charged ones are reversed, and once. */
function expectOneOutcomeACall(planned: Plan, world: World, company: number, events: readonly RecordedEvent[]) {
  const triedToCharge = plannedNumbers(planned, company, 'charge')
  const triedToFail = plannedNumbers(planned, company, 'fail')
  const charged: number[] = []
  const reversed: number[] = []
  for (const n of new Set([...triedToCharge, ...triedToFail])) {
    const callId = world.id('call', company, n)
    const types = events.filter((event) => event.data.callId === callId).map((event) => event.type)
    expect(['CallCharged', 'CallFailed']).toContain(types[0])
    if (!triedToFail.includes(n)) expect(types[0]).toBe('CallCharged')
    if (!triedToCharge.includes(n)) expect(types[0]).toBe('CallFailed')
    expect(types.slice(1)).toEqual(types[0] === 'CallCharged' && types.length > 1 ? ['ChargeReversed'] : [])
    if (types[0] === 'CallCharged') charged.push(n)
    if (types.length > 1) reversed.push(n)
  }
  const others = (['grant', 'refund', 'adjust'] as const).reduce(
    (n, kind) => n + plannedNumbers(planned, company, kind).length,
    0,
  )
  const calls = new Set([...triedToCharge, ...triedToFail]).size
  expect(events).toHaveLength(others + calls + reversed.length)
  return { charged, reversed }
}

function plannedNumbers(planned: Plan, company: number, kind: Step['kind']): number[] {
  const steps = planned.lanes.flat().map(({ step }) => step)
  return [...new Set(steps.filter((step) => step.kind === kind && step.company === company).map((step) => step.number))]
}

async function expectModelsRight(models: ReadModels): Promise<void> {
  for (const projection of PROJECTIONS) {
    const live = await models.rows(projection)
    const liveHash = await hashProjection(models.database, projection)
    expect(live).toEqual(await models.folded(projection))
    await models.rebuild(projection)
    expect(await models.rows(projection)).toEqual(live)
    expect((await hashProjection(models.database, projection))?.hash).toBe(liveHash?.hash)
  }
  const calls = (await models.events(usage)).filter(
    ({ type }) => type === 'CallCharged' || type === 'CallFailed',
  ).length
  for (const granularity of GRANULARITIES) {
    const rows = (await models.rows(usage)).filter((row) => row.granularity === granularity)
    expect(rows.reduce((sum, row) => sum + Number(row.requests), 0)).toBe(calls)
  }
}
