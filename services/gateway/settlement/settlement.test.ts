import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Withdrawal } from '../../../capabilities/answerStore/answerStore.ts'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { UnsettledCall } from '../../../capabilities/unsettledCalls/unsettledCalls.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { MemoryEventStore } from '../../../test/support/eventStores/memoryEventStore.ts'
import { MemoryUnsettledCalls } from '../../../test/support/eventStores/memoryUnsettledCalls.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { SETTLEMENTS_AT_ONCE, type Settled, Settlement } from './settlement.ts'

const AT = '2026-01-01T00:00:00.000Z'
const ACTOR = { kind: 'system', name: 'test' } as const
const { log } = openLog({ level: 'silent', file: null })

let store: MemoryEventStore
let calls: MemoryUnsettledCalls
let clock: ManualClock
/** Claims by call id. */
let claims: Map<string, Exclude<Withdrawal, 'withdrawn'> | 'held'>
let unsettled: UnsettledCall

beforeEach(() => {
  store = new MemoryEventStore()
  calls = new MemoryUnsettledCalls()
  clock = new ManualClock()
  claims = new Map()
  unsettled = aCall()
})

function aCall(): UnsettledCall {
  const [companyId, callId] = [randomUUID(), randomUUID()]
  claims.set(callId, 'held')
  return {
    call: {
      ...{ companyId, callId, keyId: randomUUID(), alias: 'svc/chat-default', endpoint: '/chat/completions' },
      ...{ streamed: false, admittedAt: AT, finishedAt: AT, label: null, provider: 'first' },
      ...{ costMicros: '12', costCurrency: 'usd', tokensCached: 4, tokensCacheWrite: 6 },
    },
    claim: { scope: callId, holder: randomUUID() },
    from: 0,
  }
}

const answers = {
  withdraw: async (_: unknown, callId: string): Promise<Withdrawal> => {
    const claim = claims.get(callId)
    if (claim === 'inherited' || claim === 'charged') return claim
    claims.delete(callId)
    return 'withdrawn'
  },
}

/** What a process does to the world passes here, step by step; from a certain step on it is dead. */
type Step = <Result>(work: () => Promise<Result>) => Promise<Result>
const alive: Step = (work) => work()

function processWith(step: Step = alive): Settlement {
  const stepped = Object.assign(Object.create(store), {
    append: (...append: Parameters<MemoryEventStore['append']>) => step(() => store.append(...append)),
    readStream: async function* (...read: Parameters<MemoryEventStore['readStream']>) {
      await step(async () => {})
      yield* store.readStream(...read)
    },
  }) as MemoryEventStore
  return new Settlement({
    calls: {
      record: (call) => step(() => calls.record(call)),
      remove: (callId) => step(() => calls.remove(callId)),
      list: () => calls.list(),
    },
    answers: { withdraw: (holding, callId) => step(() => answers.withdraw(holding, callId)) },
    ledger: new LedgerWriter(new PursuingAppender(stepped, clock)),
    store: stepped,
    clock,
    log,
  })
}

/** Dies before its n-th step or right after it: nothing is ever heard of it again. */
class KilledProcess {
  isDead = false
  #stepsLeft: number
  readonly #moment: 'before' | 'after'

  constructor(n: number, moment: 'before' | 'after') {
    this.#stepsLeft = n
    this.#moment = moment
  }

  readonly step: Step = async (work) => {
    if (!this.isDead && --this.#stepsLeft > 0) return work()
    if (!this.isDead && this.#moment === 'after') await work()
    this.isDead = true
    return new Promise(() => {})
  }
}

function charge({ call }: UnsettledCall): void {
  const price = {
    bookId: randomUUID(),
    inputMicrosPerMillionTokens: '1000000',
    outputMicrosPerMillionTokens: '1000000',
  }
  const data = { ...call, tokensIn: 10, tokensOut: 20, amountMicros: '30', price }
  const metadata = { schemaVersion: 2, correlationId: call.callId, causationId: call.callId, actor: ACTOR }
  store.write(`ledger-${call.companyId}`, 'any', [{ id: call.callId, type: 'CallCharged', data, metadata }])
}

const types = ({ call }: UnsettledCall = unsettled) => store.stored(`ledger-${call.companyId}`).map(({ type }) => type)

async function settledBy(settlement: Settlement, call: UnsettledCall = unsettled): Promise<Settled | null> {
  let settled: Settled | null = null
  void settlement.settle(call).then((end) => {
    settled = end
  })
  await clock.advance(1_000)
  return settled
}

describe('an unsettled call', () => {
  test('ends as failed if its charge is not on the ledger, and its key is free', async () => {
    await calls.record(unsettled)
    expect(await settledBy(processWith())).toEqual({ as: 'failed' })
    expect(store.stored(`ledger-${unsettled.call.companyId}`)).toMatchObject([
      { type: 'CallFailed', data: { ...unsettled.call, reason: 'ledger_unavailable', tokensAbandoned: null } },
    ])
    expect(claims.size + calls.recorded.size).toBe(0)
  })

  test('is reversed if its charge was stored first', async () => {
    charge(unsettled)
    expect(await settledBy(processWith())).toMatchObject({ as: 'reversed' })
    expect(types()).toEqual(['CallCharged', 'ChargeReversed'])
    const { label, provider, costMicros, costCurrency, tokensCached, tokensCacheWrite } = unsettled.call
    expect(store.stored(`ledger-${unsettled.call.companyId}`)[1]?.data).toMatchObject({
      ...{ label, provider, costMicros, costCurrency, tokensCached, tokensCacheWrite },
    })
  })

  test('that has ended as failed prevents a later charge', async () => {
    await settledBy(processWith())
    charge(unsettled)
    expect(types()).toEqual(['CallFailed'])
  })

  test('waits while another request holds its answer, and stays charged if that one has sent it', async () => {
    const { callId } = unsettled.call
    await calls.record(unsettled)
    claims.set(callId, 'inherited')
    charge(unsettled)
    const settlement = processWith()
    expect(await settledBy(settlement)).toBeNull()
    expect(calls.recorded.size).toBe(1)
    claims.set(callId, 'charged')
    await clock.advance(2_000)
    expect(types()).toEqual(['CallCharged'])
    expect(calls.recorded.size).toBe(0)
  })

  test('is settled once by two processes at the same time', async () => {
    charge(unsettled)
    const ends = await Promise.all([settledBy(processWith()), settledBy(processWith())])
    expect(ends).toMatchObject([{ as: 'reversed' }, { as: 'reversed' }])
    expect(types()).toEqual(['CallCharged', 'ChargeReversed'])
  })
})

test('a start settles all calls of earlier processes', async () => {
  const left = Array.from({ length: 3 * SETTLEMENTS_AT_ONCE }, aCall)
  for (const call of left) await calls.record(call)
  for (const call of left.slice(0, SETTLEMENTS_AT_ONCE)) charge(call)
  const settled = await processWith().resume()
  await clock.advance(5_000)
  await Promise.all(settled)
  const ends = left.map((call) => types(call).join())
  expect(ends.filter((end) => end === 'CallCharged,ChargeReversed')).toHaveLength(SETTLEMENTS_AT_ONCE)
  expect(ends.filter((end) => end === 'CallFailed')).toHaveLength(2 * SETTLEMENTS_AT_ONCE)
  expect(calls.recorded.size).toBe(0)
})

test('a stopped process starts nothing more', async () => {
  const settlement = processWith()
  settlement.stop()
  expect(await settledBy(settlement)).toBeNull()
  expect(types()).toEqual([])
})

const RIGHT_ENDS = {
  before: ['CallCharged,ChargeReversed'],
  late: ['CallCharged,ChargeReversed', 'CallFailed'],
  never: ['CallFailed'],
}

describe.each([
  ['before', true],
  ['late', true],
  ['never', true],
  ['before', false],
  ['never', false],
] as const)('with a charge that is stored (%s) and unique ids (%s)', (charged, idsAreUnique) => {
  beforeEach(() => {
    store = new MemoryEventStore({ idsAreUnique })
  })

  test.each(['before', 'after'] as const)(
    'a kill %s any step leaves a call that the next start settles',
    async (moment) => {
      for (let n = 1, isDead = true; isDead; n++) {
        unsettled = aCall()
        if (charged === 'before') charge(unsettled)
        const killed = new KilledProcess(n, moment)
        const first = processWith(killed.step)
        let isAnswered503 = false
        void first.record(unsettled).then(() => {
          isAnswered503 = true
          return first.settle(unsettled)
        })
        await clock.advance(2_000)
        isDead = killed.isDead
        if (!isDead) expect(n).toBeGreaterThan(4)
        // Without a record its caller was not answered: the connection broke.
        if (calls.recorded.size === 0 && !isAnswered503) continue
        if (charged === 'late') charge(unsettled)
        await processWith().resume()
        await clock.advance(2_000)
        expect({ n, left: calls.recorded.size, isClaimed: claims.has(unsettled.call.callId) }).toEqual({
          ...{ n, left: 0, isClaimed: false },
        })
        expect(RIGHT_ENDS[charged]).toContain(types().join())
      }
    },
  )
})
