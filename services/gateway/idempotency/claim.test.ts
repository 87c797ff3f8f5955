import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AnswerStore } from '../../../capabilities/answerStore/answerStore.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { isoTime, systemClock } from '../../../platform/clock/clock.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { mintRawKey } from '../../../platform/secrets/rawKeys.ts'
import { memoryRateLimits } from '../../../platform/sharedState/memorySharedState.ts'
import type { Sql, SqlRow } from '../../../projections/runner/ports.ts'
import { openTestDatabase } from '../../../test/support/databases/openTestDatabase.ts'
import {
  type Fault,
  landingLate,
  loseAnswer,
  loseRequest,
  MemoryEventStore,
  unavailable,
} from '../../../test/support/eventStores/memoryEventStore.ts'
import { MemoryUnsettledCalls } from '../../../test/support/eventStores/memoryUnsettledCalls.ts'
import { UNATTRIBUTED } from '../../../test/support/events/ledgerEvents.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { until } from '../../../test/support/time/until.ts'
import { BackgroundWork } from '../backgroundWork.ts'
import { CallRecord } from '../call/callRecord.ts'
import { CallsInFlight } from '../call/callsInFlight.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayError } from '../gatewayError.ts'
import { GatewayMetrics } from '../gatewayMetrics.ts'
import type { CallToHold } from '../holds/callHolds.ts'
import { RateLimiter } from '../rateLimiter.ts'
import { Settlement } from '../settlement/settlement.ts'
import { BalanceView } from '../views/balances.ts'
import { DailyTokensView } from '../views/dailyTokens.ts'
import { KeySpendView } from '../views/keySpend.ts'
import { KeyView, type LiveKey } from '../views/keys.ts'
import type { Claim } from './claim.ts'
import { Claims } from './claims.ts'
import { isBooked } from './isBooked.ts'
import type { CallCharge } from './keptAnswer.ts'
import { bookInherited } from './replay.ts'

/** Longer than an uncontended claim takes. */
const PATIENCE_MS = 500
const PURSUIT_MS = 10_000
const USAGE = { tokensIn: 1_000, tokensOut: 500, parts: {}, units: {}, serviceTier: null, total: null }
const ANSWER = () => ({ contentType: 'application/json', bytes: Buffer.from('{"good":"day"}') })

/** A connection that breaks before or after the statement is executed. */
class BrittleSql implements Sql {
  readonly #sql: Sql
  breaks: (text: string) => 'never' | 'before' | 'after' = () => 'never'

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async query<Row extends SqlRow>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    const breaks = this.breaks(text)
    if (breaks === 'before') throw new Error('the connection broke')
    const rows = await this.#sql.query<Row>(text, values)
    if (breaks === 'after') throw new Error('the connection broke')
    return rows
  }
}

let database: PostgresDatabase
let close: () => Promise<void>
let sql: BrittleSql
let ledger: MemoryEventStore
let clock: ManualClock
let background: BackgroundWork
let balances: BalanceView
const views = () => ({ balances, keys: new KeyView(), keySpend: new KeySpendView() })
let deps: GatewayDependencies
let key: LiveKey
let rawKey: string
let claims: Claims
let others: Claims
let othersSql: BrittleSql
let calls: MemoryUnsettledCalls
let settlement: Settlement

beforeAll(async () => {
  ;({ database, close } = await openTestDatabase('migrated'))
})
afterAll(() => close())
beforeEach(() => {
  sql = new BrittleSql(database)
  ledger = new MemoryEventStore()
  clock = new ManualClock()
  background = new BackgroundWork(systemClock)
  balances = new BalanceView()
  const { log } = openLog({ level: 'silent', file: null })
  // The test's clock stands still; the database's does not.
  const answers = new AnswerStore(sql, systemClock)
  claims = new Claims({ store: answers, clock, ids: systemIds, background, log })
  othersSql = new BrittleSql(database)
  others = new Claims({ store: new AnswerStore(othersSql, systemClock), clock, ids: systemIds, background, log })
  rawKey = mintRawKey().raw
  key = { keyId: randomUUID(), companyId: randomUUID() } as LiveKey
  calls = new MemoryUnsettledCalls()
  const writer = new LedgerWriter(new PursuingAppender(ledger, clock, PURSUIT_MS))
  settlement = new Settlement({ calls, answers, ledger: writer, store: ledger, clock, log })
  deps = {
    ledger: writer,
    settlement,
    callsInFlight: new CallsInFlight(),
    views: { ...views(), dailyTokens: new DailyTokensView(), companies: { hasHardCap: () => false } },
    isBooked: async () => false,
    rateLimiter: new RateLimiter(memoryRateLimits(clock), clock, 0),
    metrics: new GatewayMetrics(createMetrics()),
    ...{ claims, log, background, clock },
  } as unknown as GatewayDependencies
})
afterEach(() => {
  settlement.stop()
  claims.stop()
  others.stop()
})

const types = () => ledger.stored(`ledger-${key.companyId}`).map(({ type }) => type)
/**
 * A renewal that a gateway had under way may come after its claim was released or had expired, and the next request then
 * waits. The test's time goes on meanwhile.
 */
async function take(by: Claims, meanwhile: () => Promise<unknown> = async () => {}) {
  const caller = Object.assign(new EventEmitter(), { destroyed: false })
  let isTaken = false
  const taken = by.take({ rawKey, scope: ['a call'], body: Buffer.from('{}'), caller }).finally(() => {
    isTaken = true
  })
  taken.catch(() => {})
  for (let ms = 1; !isTaken; ms++) {
    await wait(1)
    if (isTaken || ms % PATIENCE_MS > 0) continue
    await meanwhile()
    await clock.advance(1_000)
  }
  return taken
}
const rows = () => database.query('select from answer_store.claims')

async function claimed(): Promise<{ claim: Claim; record: CallRecord }> {
  await database.query('truncate answer_store.claims')
  const { claim } = await take(claims)
  if (!claim) throw new Error('another call has the claim')
  const admittedAtMs = clock.now()
  const price = {
    bookId: randomUUID(),
    rates: { input: '1000000', output: '1000000' },
  }
  const call = {
    alias: 'svc/chat-default',
    price,
    requestedTier: null,
    hold: null,
    label: null,
    admittedAt: isoTime(admittedAtMs),
    admittedAtMs,
  } as never
  return {
    claim,
    record: new CallRecord(deps, {
      context: { key, callId: claim.callId, claim, beganAtMs: 0 },
      caller: { destroyed: false },
      call,
      endpoint: '/chat/completions',
      streamed: false,
    }),
  }
}

/** Another request, which takes over the expired claim and finds the answer. */
async function inherit() {
  const expire = () => database.query("update answer_store.claims set leased_to = clock_timestamp() - interval '1 ms'")
  await expire()
  const { claim, kept } = await take(others, expire)
  if (!claim || !kept) throw new Error('there is nothing to inherit')
  return { claim, kept }
}

/** Advances the test's clock until the background work has ended. */
async function settled(): Promise<void> {
  await until('the work behind has ended', async () => {
    await clock.advance(1_000)
    return background.size === 0
  })
}

/** What the work ends with, while the test's clock advances: a charge with what the caller gets. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  let outcome: unknown
  void work.then(
    (result) => {
      outcome = result
    },
    (error: unknown) => {
      outcome = error
    },
  )
  await until('the work has ended', async () => {
    await clock.advance(1_000)
    return outcome
  })
  return outcome
}

const micros = 1_500n
function chargeOf(callId: string): CallCharge {
  const at = isoTime(clock.now())
  return {
    ...{ companyId: key.companyId, callId, keyId: key.keyId, alias: 'svc/chat-default' },
    ...{ endpoint: '/chat/completions', streamed: false, admittedAt: at, finishedAt: at },
    ...{ tokensIn: 1_000, tokensOut: 500, amountMicros: String(micros), ...UNATTRIBUTED },
    ...{ lines: null, serviceTier: null, tierFactor: null, abandoned: false },
    price: { bookId: randomUUID(), rates: { input: '750000', output: '1500000' } },
  }
}

const ERROR_503 = expect.objectContaining({ error: 'unavailable', status: 503 })

describe('an answer that may or may not be stored', () => {
  test.each(['before', 'after'] as const)(
    '(broken %s) is not charged, and counts as failed when no request can find it',
    async (moment) => {
      const { record } = await claimed()
      sql.breaks = () => moment
      await expect(record.charge(USAGE, ANSWER)).rejects.toEqual(ERROR_503)
      // The release is not certain, so another request may still charge the call.
      await clock.advance(5_000)
      expect(types()).toEqual([])
      sql.breaks = () => 'never'
      await settled()
      expect(types()).toEqual(['CallFailed'])
      expect(await rows()).toHaveLength(0)
    },
  )

  test('that another request found is charged by that request, and has not failed', async () => {
    const { record } = await claimed()
    sql.breaks = (text) => (text.startsWith('update') ? 'after' : 'before')
    await expect(record.charge(USAGE, ANSWER)).rejects.toEqual(ERROR_503)
    const { claim, kept } = await inherit()
    sql.breaks = () => 'never'
    await settled()
    expect(types()).toEqual([])
    await bookInherited(deps, claim, kept.charge)
    await settled()
    expect(types()).toEqual(['CallCharged'])
    expect(kept.bytes).toEqual(ANSWER().bytes)
  })
})

describe('a charge', () => {
  test('a charge that was certainly not stored frees the key, then the call has failed', async () => {
    const { record } = await claimed()
    ledger.failNext(...Array.from({ length: 200 }, () => unavailable))
    expect(await outcomeOf(record.charge(USAGE, ANSWER))).toEqual(ERROR_503)
    await until('the key is free', async () => (await rows()).length === 0)
    await settled()
    expect(types()).toEqual(['CallFailed'])
    expect(await take(others)).toMatchObject({ kept: null })
  })

  test('a charge of unknown outcome is not reversed if another request has sent its answer', async () => {
    const { record } = await claimed()
    ledger.failNext(loseAnswer, ...Array.from({ length: 150 }, () => loseRequest))
    const charge = record.charge(USAGE, ANSWER)
    await until(
      'it is kept',
      async () => (await database.query('select from answer_store.claims where answer is not null')).length,
    )
    const { claim, kept } = await inherit()
    expect(await outcomeOf(charge)).toEqual(ERROR_503)
    ledger.clearFaults()
    await clock.advance(5_000)
    expect(calls.recorded.size).toBe(1)
    await bookInherited(deps, claim, kept.charge)
    await settled()
    expect(types()).toEqual(['CallCharged'])
    expect(calls.recorded.size).toBe(0)
    expect(balances.balanceMicros(key.companyId)).toBe(0n)
  })

  test.each([
    ['stored', loseAnswer, ['CallCharged', 'ChargeReversed']],
    ['not stored', loseRequest, ['CallFailed']],
  ])('a charge of unknown outcome that was %s frees the key and costs nothing', async (_, first, ends) => {
    const { record } = await claimed()
    ledger.failNext(first, ...Array.from({ length: 150 }, () => loseRequest))
    expect(await outcomeOf(record.charge(USAGE, ANSWER))).toEqual(ERROR_503)
    expect([...calls.recorded.values()]).toMatchObject([{ claim: { holder: expect.any(String) } }])
    ledger.clearFaults()
    await settled()
    expect(types()).toEqual(ends)
    expect(await take(others)).toMatchObject({ kept: null })
  })
})

/** A call whose claim another request takes over while its charge is on its way. */
async function takenOver(...faults: Fault[]) {
  const { record } = await claimed()
  ledger.failNext(...faults)
  const charge = record.charge(USAGE, ANSWER)
  charge.catch(() => {})
  await until(
    'it is kept',
    async () => (await database.query('select from answer_store.claims where answer is not null')).length,
  )
  const { claim, kept } = await inherit()
  // Long enough for the first request to have noticed that its claim may be lost.
  await clock.advance(3_000)
  // The other request did not find the charge, and does not know whether its own attempt was stored.
  const { tokensIn: _in, tokensOut: _out, amountMicros: _micros, price: _price, lines: _lines, ...rest } = kept.charge
  const { serviceTier: _tier, tierFactor: _factor, abandoned: _abandoned, ...call } = rest
  return { charge, settleOther: () => settlement.settle({ call, claim: claim.holding, from: 0 }) }
}

test('a charge whose answer was sent is not reversed by a request that took over the claim before', async () => {
  const late = landingLate()
  const { charge, settleOther } = await takenOver(late.fault)
  late.land()
  expect(await outcomeOf(charge)).toBe('0.0015')
  expect(await outcomeOf(settleOther())).toMatchObject({ as: 'charged' })
  await settled()
  expect(types()).toEqual(['CallCharged'])
})

test('an answer is not sent if a request that took over the claim reverses its charge', async () => {
  const { charge } = await takenOver(loseAnswer, ...Array.from({ length: 150 }, () => loseRequest))
  // The settlement of that request begins by withdrawing the call.
  await database.query('truncate answer_store.claims')
  ledger.clearFaults()
  expect(await outcomeOf(charge)).toEqual(ERROR_503)
})

test('an inherited charge that cannot be booked leaves the answer to the next request', async () => {
  const { record } = await claimed()
  await record.charge(USAGE, ANSWER)
  await settled()
  await database.query('update answer_store.claims set settled = false')
  const { claim, kept } = await inherit()
  ledger.failNext(...Array.from({ length: 200 }, () => unavailable))
  expect(await outcomeOf(bookInherited(deps, claim, kept.charge))).toEqual(ERROR_503)
  await settled()
  ledger.failNext()
  const next = await take(others)
  expect(next.kept?.bytes).toEqual(ANSWER().bytes)
  expect(next.claim).not.toBeNull()
})

test.each([
  ['stored', loseAnswer, ['CallCharged', 'ChargeReversed']],
  ['not stored', loseRequest, ['CallFailed']],
])('an inherited charge of unknown outcome that was %s costs nothing', async (_, first, ends) => {
  const { claim: dead } = await claimed()
  const charge = chargeOf(dead.callId)
  await dead.keep(charge, ANSWER())
  const { claim, kept } = await inherit()
  ledger.failNext(first, ...Array.from({ length: 150 }, () => loseRequest))
  expect(await outcomeOf(bookInherited(deps, claim, kept.charge))).toEqual(ERROR_503)
  ledger.clearFaults()
  await settled()
  expect(types()).toEqual(ends)
  expect(await take(others)).toMatchObject({ kept: null })
})

test('an inherited charge that is on the ledger is not sent again: its first caller may have the answer', async () => {
  const { record } = await claimed()
  await record.charge(USAGE, ANSWER)
  await settled()
  await database.query('update answer_store.claims set settled = false')
  const { claim, kept } = await inherit()
  const sent = ledger.sent.length
  await bookInherited({ ...deps, isBooked: (charge) => isBooked(ledger, charge) }, claim, kept.charge)
  await settled()
  expect(ledger.sent).toHaveLength(sent)
  expect(types()).toEqual(['CallCharged'])
})

test('an inherited answer is sent when it is written that its charge stays', async () => {
  const { claim: dead } = await claimed()
  await dead.keep(chargeOf(dead.callId), ANSWER())
  const { claim, kept } = await inherit()
  othersSql.breaks = (text) => (text.includes('settled = true') ? 'before' : 'never')
  let isAnswered = false
  const booked = bookInherited(deps, claim, kept.charge).then(() => {
    isAnswered = true
  })
  await until('the charge is booked', () => types().length > 0)
  await clock.advance(3_000)
  expect(isAnswered).toBe(false)
  othersSql.breaks = () => 'never'
  await settled()
  await booked
  expect(await database.query('select settled from answer_store.claims')).toEqual([{ settled: true }])
})

describe('an inherited charge under a hard cap', () => {
  /** A kept answer whose charge is not on the ledger, and a keeper of holds that has this much left. */
  async function inheritedWith(leftMicros: bigint) {
    const { claim: dead } = await claimed()
    const charge = chargeOf(dead.callId)
    await dead.keep(charge, ANSWER())
    const settledAt: unknown[] = []
    const place = async ({ amountMicros }: CallToHold) => {
      if (amountMicros > leftMicros) throw new GatewayError('insufficientCredits', 'held by others')
      const settle = async (...outcome: unknown[]) => void settledAt.push(outcome)
      return { cover: async (costMicros: bigint) => costMicros, settle, release: () => {} }
    }
    const capped = { ...deps, views: { ...views(), companies: { hasHardCap: () => true } }, holds: { place } }
    return { ...(await inherit()), capped: capped as unknown as GatewayDependencies, settledAt }
  }

  test('is held before it is booked', async () => {
    const { claim, kept, capped, settledAt } = await inheritedWith(micros)
    await bookInherited(capped, claim, kept.charge)
    expect(types()).toEqual(['CallCharged'])
    expect(settledAt).toEqual([[expect.anything(), micros]])
  })

  test('is not booked if the balance does not cover it; the answer waits for a top-up', async () => {
    const { claim, kept, capped } = await inheritedWith(micros - 1n)
    await expect(bookInherited(capped, claim, kept.charge)).rejects.toThrow('held by others')
    expect(types()).toEqual([])
    await settled()
    expect((await take(others)).kept?.bytes).toEqual(ANSWER().bytes)
  })
})

test('claims are renewed while they are held, and not afterwards', async () => {
  const { claim } = await claimed()
  const expire = () => database.query("update answer_store.claims set leased_to = clock_timestamp() - interval '1 ms'")
  const isLive = async () =>
    (await database.query('select from answer_store.claims where leased_to > clock_timestamp()')).length === 1
  await expire()
  await until('it is renewed', async () => {
    await clock.advance(1_000)
    return isLive()
  })
  claim.release()
  await settled()
  await clock.advance(60_000)
  expect(await isLive()).toBe(false)
})

test('a claim is released as soon as the database answers again', async () => {
  const { claim } = await claimed()
  let failures = 0
  sql.breaks = (text) => (text.includes("'-infinity' where") && failures++ < 2 ? 'before' : 'never')
  claim.release()
  const isReleased = async () =>
    (await database.query("select from answer_store.claims where leased_to = '-infinity'")).length === 1
  await until('it is released', async () => {
    await clock.advance(1_000)
    return isReleased()
  })
  expect(failures).toBe(3)
})
