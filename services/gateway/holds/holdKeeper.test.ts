import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Position } from '../../../contracts/position.ts'
import { systemClock } from '../../../platform/clock/clock.ts'
import { within } from '../../../platform/clock/within.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { emptyHoldState, MemoryHolds } from '../../../platform/sharedState/holds/memoryHolds.ts'
import type { HoldAnswer, HoldRequest, HoldTimes } from '../../../platform/sharedState/holds/port.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { until } from '../../../test/support/time/until.ts'
import { BackgroundWork } from '../backgroundWork.ts'
import type { GatewayError } from '../gatewayError.ts'
import { HoldKeeper } from './holdKeeper.ts'

const LEASE_MS = 15_000
const at = (number: number) => String(number).padStart(16, '0') as Position

/** A table that can be unavailable and gives scripted answers. */
class TroubledHolds extends MemoryHolds {
  isAway = false
  answers: HoldAnswer[] = []
  founded: Position[] = []

  override renew(owner: string) {
    return this.isAway ? Promise.reject(new Error('away')) : super.renew(owner)
  }
  override enter(owner: string) {
    return this.isAway ? Promise.reject(new Error('away')) : super.enter(owner)
  }
  override async place(request: HoldRequest) {
    if (this.isAway) throw new Error('away')
    return this.answers.shift() ?? super.place(request)
  }
  override settle(...args: Parameters<MemoryHolds['settle']>) {
    return this.isAway ? Promise.reject(new Error('away')) : super.settle(...args)
  }
  override release(...args: Parameters<MemoryHolds['release']>) {
    return this.isAway ? Promise.reject(new Error('away')) : super.release(...args)
  }
  override async reopen(head?: Position) {
    if (head) this.founded.push(head)
  }
}

const TIMES: HoldTimes = { leaseMs: LEASE_MS, settledKeptMs: 60_000 }
let clock: ManualClock
let state: ReturnType<typeof emptyHoldState>
let table: TroubledHolds
let seen: { balanceMicros: bigint; position: Position }
let head: Position
let keepers: HoldKeeper[]
let background: BackgroundWork
let companyId: string
let keeper: HoldKeeper

beforeEach(async () => {
  clock = new ManualClock()
  state = emptyHoldState()
  table = new TroubledHolds(clock, TIMES, state)
  seen = { balanceMicros: 100n, position: at(10) }
  head = at(10)
  keepers = []
  background = new BackgroundWork(systemClock)
  companyId = randomUUID()
  keeper = await aKeeper(table)
})
afterEach(async () => {
  for (const each of keepers) await each.stop()
})

async function aKeeper(on: MemoryHolds): Promise<HoldKeeper> {
  const made = new HoldKeeper({
    ...{ table: on, views: { ledgerSeen: () => seen }, store: { head: async () => head } },
    ...{ background, clock, ids: systemIds, log: openLog({ level: 'silent', file: null }).log },
  })
  await made.start()
  keepers.push(made)
  return made
}

const refusalOf = async (placing: Promise<unknown>): Promise<GatewayError> => {
  const error = await placing.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).not.toBeNull()
  return error as GatewayError
}
/** How much more could be held now. */
const room = async (): Promise<bigint> => {
  const owner = randomUUID()
  await new MemoryHolds(clock, TIMES, state).enter(owner)
  const probe = { owner, companyId, holdId: 'probe', amountMicros: 10n ** 12n, ...seen }
  const answer = await new MemoryHolds(clock, TIMES, state).place(probe)
  if (answer.outcome !== 'refused') throw new Error(`the probe was ${answer.outcome}`)
  return seen.balanceMicros - answer.heldMicros - answer.unseenMicros
}

describe('a call of a company with a hard cap', () => {
  test('a call is held, then counts as charged until the view has passed it', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    expect(await room()).toBe(40n)
    expect(await hold.cover(50n)).toBe(50n)
    await hold.settle(at(11), 50n)
    expect(await room()).toBe(50n)
    seen = { balanceMicros: 50n, position: at(11) }
    expect(await room()).toBe(50n)
  })

  test('a refusal names the possible cost, the balance and what calls in flight hold', async () => {
    const alone = await refusalOf(keeper.place(companyId, 'a', 2_000_000n))
    expect(alone.error).toBe('insufficientCredits')
    expect(alone.message).toMatch(/^This call may cost up to 2 credits, and the balance is 0.0001: .* hard cap/)
    await keeper.place(companyId, 'a', 60n)
    const beside = await refusalOf(keeper.place(companyId, 'b', 60n))
    expect(beside.error).toBe('insufficientCredits')
    expect(beside.message).toMatch(/calls in flight hold 0.00006 of it/)
  })

  test('a call holds nothing after it has ended', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    hold.release()
    hold.release()
    await keeper.place(companyId, 'b', 60n)
    keeper.callEnded('b')
    keeper.callEnded('b')
    keeper.callEnded('unknown')
    await background.settled(100)
    expect(await room()).toBe(100n)
  })

  test('a call keeps its hold while its charge is being stored, although the caller has disconnected', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    await hold.cover(60n)
    keeper.callEnded('a')
    await background.settled(100)
    expect(await room()).toBe(40n)
    hold.release()
    await background.settled(100)
    expect(await room()).toBe(100n)
  })

  test('a call that cost more than its hold is charged in full if the balance covers it, else the amount held', async () => {
    const first = await keeper.place(companyId, 'a', 10n)
    expect(await first.cover(70n)).toBe(70n)
    expect(await room()).toBe(30n)
    const second = await keeper.place(companyId, 'b', 20n)
    expect(await second.cover(31n)).toBe(20n)
    expect(await second.cover(30n)).toBe(30n)
  })
})

describe('a lease', () => {
  test('the lease is renewed as long as the gateway runs', async () => {
    await keeper.place(companyId, 'a', 60n)
    await clock.advance(10 * LEASE_MS)
    const other = await aKeeper(new MemoryHolds(clock, TIMES, state))
    expect((await refusalOf(other.place(companyId, 'b', 41n))).error).toBe('insufficientCredits')
  })

  test('the lease of a dead gateway expires, and its holds are released to views that have passed its last possible charge', async () => {
    await keeper.place(companyId, 'a', 60n)
    await keeper.stop()
    const other = await aKeeper(new MemoryHolds(clock, TIMES, state))
    await clock.advance(LEASE_MS - 2_000)
    expect((await refusalOf(other.place(companyId, 'b', 100n))).error).toBe('insufficientCredits')
    await clock.advance(4_000)
    // Its charge was stored: the view does not show it yet, but the end of the ledger does.
    head = at(12)
    const placing = other.place(companyId, 'b', 41n)
    const refused = refusalOf(placing)
    await clock.advance(3_000)
    expect((await refused).error).toBe('insufficientCredits')
    seen = { balanceMicros: 40n, position: at(12) }
    expect((await refusalOf(other.place(companyId, 'c', 41n))).error).toBe('insufficientCredits')
    await other.place(companyId, 'd', 40n)
  })

  test('a lost lease is replaced before a charge, together with the hold', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    table.isAway = true
    await clock.advance(2 * LEASE_MS)
    table.isAway = false
    expect(await hold.cover(60n)).toBe(60n)
    expect(await room()).toBe(40n)
  })

  test('with a lost lease, a call whose amount went to another call is not charged', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    table.isAway = true
    const other = await aKeeper(new MemoryHolds(clock, TIMES, state))
    await clock.advance(2 * LEASE_MS)
    await other.place(companyId, 'b', 100n)
    table.isAway = false
    const error = await refusalOf(hold.cover(60n))
    expect(error.error).toBe('unavailable')
    await clock.advance(1_000)
    expect((await refusalOf(hold.cover(60n))).error).toBe('unavailable')
  })

  test('a lease that is about to expire and cannot be renewed admits no charge', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    table.isAway = true
    await clock.advance(LEASE_MS - 7_000)
    expect(await hold.cover(60n)).toBe(60n)
    await clock.advance(2_000)
    expect((await refusalOf(hold.cover(60n))).error).toBe('unavailable')
  })
})

describe('the shared state', () => {
  test('an unavailable shared state means 503, and missed updates are sent later', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    const failed = await keeper.place(companyId, 'b', 40n)
    table.isAway = true
    expect((await refusalOf(keeper.place(companyId, 'c', 1n))).error).toBe('unavailable')
    await hold.cover(60n)
    await hold.settle(at(11), 60n)
    failed.release()
    expect(await room()).toBe(0n)
    table.isAway = false
    await clock.advance(1_000)
    expect(await room()).toBe(40n)
    await clock.advance(5_000)
  })

  test('a shared state that lost its data is initialised again at the head of the ledger', async () => {
    table.answers = [{ outcome: 'headNeeded' }]
    head = at(9)
    await keeper.place(companyId, 'a', 60n)
    expect(table.founded).toEqual([at(9)])
    table.answers = [{ outcome: 'closed', opensInMs: 12_001 }]
    const closed = await refusalOf(keeper.place(companyId, 'b', 1n))
    const message = expect.stringContaining('until it is certain which calls are in flight')
    expect(closed).toMatchObject({ error: 'unavailable', retryAfterSeconds: 13, message })
  })

  test('a call waits for a newer view if the shared state requires one, and is refused if none comes in time', async () => {
    table.answers = [{ outcome: 'behind', floor: at(12) }]
    const placing = keeper.place(companyId, 'a', 60n)
    await clock.advance(100)
    seen = { balanceMicros: 90n, position: at(12) }
    await clock.advance(100)
    await placing
    table.answers = [{ outcome: 'behind', floor: at(20) }]
    const refused = refusalOf(keeper.place(companyId, 'b', 1n))
    await clock.advance(3_000)
    expect((await refused).error).toBe('unavailable')
  })

  test('a hold whose request was never answered is released', async () => {
    const place = table.place.bind(table)
    table.place = async (request) => {
      await place(request)
      throw new Error('the connection broke')
    }
    expect((await refusalOf(keeper.place(companyId, 'a', 60n))).error).toBe('unavailable')
    await until('it is free', async () => (await room()) === 100n)
  })

  /** The next request arrives only when it is let through, after its caller has given up. */
  async function giveUpPlacing(callId: string) {
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
    const place = table.place.bind(table)
    let outcome: HoldAnswer['outcome'] | undefined
    const arriving = async (request: HoldRequest) => {
      await arrival
      const answer = await place(request)
      outcome = answer.outcome
      return answer
    }
    table.place = async (request) => {
      table.place = place
      return within(arriving(request), 2_000, clock)
    }
    const refused = refusalOf(keeper.place(companyId, callId, 60n))
    await clock.advance(2_000)
    expect((await refused).error).toBe('unavailable')
    return { arrive, outcome: () => outcome }
  }

  test('a hold whose request arrives soon after it was given up is released then', async () => {
    const { arrive, outcome } = await giveUpPlacing('a')
    arrive()
    await until('it was placed', () => outcome() === 'held')
    await until('it is free again', async () => (await room()) === 100n)
  })

  test('a request that arrives long after it was given up holds nothing, and other calls keep their holds', async () => {
    const other = await keeper.place(companyId, 'b', 30n)
    const { arrive, outcome } = await giveUpPlacing('a')
    for (let seconds = 0; seconds < 25; seconds++) await clock.advance(1_000)
    arrive()
    await until('it has arrived', () => outcome() === 'lapsed')
    expect(await room()).toBe(70n)
    expect(await other.cover(30n)).toBe(30n)
  })

  test('a call that ends while its hold is placed again holds nothing', async () => {
    const hold = await keeper.place(companyId, 'a', 60n)
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>()
    const place = table.place.bind(table)
    let placed = false
    table.place = async (request) => {
      table.place = place
      await arrival
      const answer = await place(request)
      placed = answer.outcome === 'held'
      return answer
    }
    state.leases.clear()
    await clock.advance(1_000)
    hold.release()
    await background.settled(100)
    arrive()
    await until('it was placed again', () => placed)
    await until('it is free', async () => (await room()) === 100n)
  })
})
