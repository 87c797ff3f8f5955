import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import type { Provider } from '../../../capabilities/providers/providersFile.ts'
import { isoTime, systemClock } from '../../../platform/clock/clock.ts'
import { AppendOutcomeUnknown } from '../../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { type Log, openLog } from '../../../platform/logger/logger.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { memoryRateLimits } from '../../../platform/sharedState/memorySharedState.ts'
import {
  type Fault,
  hanging,
  loseAnswer,
  loseRequest,
  MemoryEventStore,
  unavailable,
} from '../../../test/support/eventStores/memoryEventStore.ts'
import { MemoryUnsettledCalls } from '../../../test/support/eventStores/memoryUnsettledCalls.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { BackgroundWork } from '../backgroundWork.ts'
import type { GatewayDependencies } from '../dependencies.ts'
import { GatewayMetrics } from '../gatewayMetrics.ts'
import type { CallHold } from '../holds/callHold.ts'
import { holdLost } from '../holds/holdRefusals.ts'
import type { Claim } from '../idempotency/claim.ts'
import { RateLimiter } from '../rateLimiter.ts'
import type { RequestContext } from '../requestContext.ts'
import { Settlement } from '../settlement/settlement.ts'
import { BalanceView } from '../views/balances.ts'
import { DailyTokensView } from '../views/dailyTokens.ts'
import { KeySpendView } from '../views/keySpend.ts'
import { KeyView } from '../views/keys.ts'
import { CallRecord } from './callRecord.ts'
import { CallsInFlight } from './callsInFlight.ts'
import { CALL_TIMELINES } from './callTimeline.ts'

const PURSUIT_MS = 10_000
const COUNTS = { tokensIn: 1_000, tokensOut: 500, parts: { cachedInput: 300 }, units: {} }
const USAGE = { ...COUNTS, serviceTier: null, total: null }
const PRICE = { rates: { input: '500000000', output: '1500000000' } }

/** Appends of these event types fail. */
class TroubledStore extends MemoryEventStore {
  faults: Readonly<Record<string, Fault>> = {}

  override append(...append: Parameters<MemoryEventStore['append']>) {
    const [, , events] = append
    const fault = this.faults[events[0]?.type ?? '']
    if (fault) this.failNext(fault)
    return super.append(...append)
  }
}

let store: TroubledStore
let clock: ManualClock
let balances: BalanceView
let dailyTokens: DailyTokensView
let background: BackgroundWork
let companyId: string
let record: CallRecord
let begin: (more?: { hold?: CallHold; claim?: Claim }) => CallRecord
let metrics: GatewayMetrics
let calls: MemoryUnsettledCalls
let log: Log

beforeEach(() => {
  store = new TroubledStore()
  clock = new ManualClock()
  balances = new BalanceView()
  dailyTokens = new DailyTokensView()
  background = new BackgroundWork(systemClock)
  companyId = randomUUID()
  metrics = new GatewayMetrics(createMetrics())
  calls = new MemoryUnsettledCalls()
  log = openLog({ level: 'silent', file: null }).log
  const ledger = new LedgerWriter(new PursuingAppender(store, clock, PURSUIT_MS))
  const answers = { withdraw: async () => 'withdrawn' as const }
  const deps = {
    ledger,
    settlement: new Settlement({ calls, answers, ledger, store, clock, log }),
    views: { balances, dailyTokens, keys: new KeyView(), keySpend: new KeySpendView() },
    rateLimiter: new RateLimiter(memoryRateLimits(clock), clock, 0),
    callsInFlight: new CallsInFlight(),
    metrics,
    log,
    background,
    clock,
  } as unknown as GatewayDependencies
  const key = { keyId: randomUUID(), companyId }
  const context = { callId: randomUUID(), key, beganAtMs: clock.monotonicMs() }
  const admittedAtMs = clock.now()
  const price = { bookId: randomUUID(), ...PRICE }
  const call = {
    alias: 'svc/chat-default',
    price,
    requestedTier: null,
    label: null,
    admittedAt: isoTime(admittedAtMs),
    admittedAtMs,
  }
  begin = ({ hold, claim } = {}) =>
    new CallRecord(deps, {
      context: { ...context, claim } as unknown as RequestContext,
      call: { ...call, hold: hold ?? null } as never,
      caller: { destroyed: false },
      endpoint: '/chat/completions',
      streamed: false,
    })
  record = begin()
})

const noAnswer = () => ({ contentType: 'application/json', bytes: null })
const types = () => store.stored(`ledger-${companyId}`).map(({ type }) => type)

/** Charges while the test's clock advances; resolves with the credits, or with the error for the caller. */
async function chargeFor(ms: number): Promise<unknown> {
  const outcome = record.charge(USAGE, noAnswer).catch((error: unknown) => error)
  await clock.advance(ms)
  return outcome
}

const ERROR_503 = expect.objectContaining({ error: 'unavailable', status: 503, retryAfterSeconds: expect.any(Number) })

describe('a charge', () => {
  test('a stored charge resolves with its credits and counts against the balance at once', async () => {
    expect(await record.charge(USAGE, noAnswer)).toBe('1.25')
    expect(types()).toEqual(['CallCharged'])
    expect(balances.balanceMicros(companyId)).toBe(-1_250_000n)
  })

  test('the log line of a call is written after the turn of the event loop in which its answer is', async () => {
    const logged = vi.spyOn(log, 'info')
    await record.charge(USAGE, noAnswer)
    expect(logged).not.toHaveBeenCalled()
    await turn()
    const line = { outcome: 'charged', credits: '1.25', tokensIn: 1_000 }
    expect(logged.mock.calls).toEqual([[expect.objectContaining(line), 'call']])
  })

  test('the added latency is the time before the first provider was asked and after the last byte', async () => {
    const added = vi.spyOn(metrics, 'added')
    await clock.advance(7)
    const firstSentAtMs = clock.monotonicMs()
    await clock.advance(1_000)
    const sent = { disprove: () => {}, endedAtMs: clock.monotonicMs() }
    record.answeredBy({ sent, firstSentAtMs }, { ...COUNTS, tokensOut: 1_000 })
    const { fault, end } = hanging()
    store.failNext(fault)
    const charged = record.charge(USAGE, noAnswer)
    await clock.advance(30)
    end(async (apply) => apply())
    await charged
    await clock.advance(3)
    expect(added).not.toHaveBeenCalled()
    record.answerWritten()
    expect(added.mock.calls).toEqual([['svc/chat-default', 40]])
  })

  test('only a call that begins while something subscribes publishes its timeline', async () => {
    const published: unknown[] = []
    const keep = (timeline: unknown) => void published.push(timeline)
    subscribe(CALL_TIMELINES, keep)
    onTestFinished(() => void unsubscribe(CALL_TIMELINES, keep))
    record.answerWritten()
    expect(published).toEqual([])
    const timed = begin()
    await timed.charge(USAGE, noAnswer)
    timed.answerWritten()
    const atMs = { 'head read': 0, admitted: 0, 'append submitted': 0, 'append stored': 0, 'answer written': 0 }
    expect(published).toEqual([{ callId: expect.any(String), atMs }])
  })

  test('a charge counts against the balance before it is stored', async () => {
    const { fault, end } = hanging()
    store.failNext(fault)
    const charged = record.charge(USAGE, noAnswer)
    expect(types()).toEqual([])
    expect(balances.balanceMicros(companyId)).toBe(-1_250_000n)
    end(async (apply) => apply())
    await charged
  })

  test.each([
    ['whose answer is lost', loseAnswer],
    ['that is lost itself', loseRequest],
  ])('%s is stored once, and the caller notices nothing', async (_, fault) => {
    store.failNext(fault)
    expect(await chargeFor(1_000)).toBe('1.25')
    expect(types()).toEqual(['CallCharged'])
  })

  test('a charge that was certainly not stored ends as a failed call with 503', async () => {
    store.faults = { CallCharged: unavailable, CallFailed: unavailable }
    expect(await chargeFor(PURSUIT_MS + 1_000)).toEqual(ERROR_503)
    expect(balances.balanceMicros(companyId)).toBe(0n)
    store.faults = {}
    await clock.advance(PURSUIT_MS)
    expect(types()).toEqual(['CallFailed'])
  })

  describe('of unknown outcome', () => {
    const NO_ANSWER = { CallCharged: loseRequest, CallFailed: loseRequest, ChargeReversed: loseRequest }

    test('is recorded before its caller gets 503, and no longer retried', async () => {
      store.faults = NO_ANSWER
      const { promise: onDisk, resolve } = Promise.withResolvers<void>()
      const record503 = vi.spyOn(calls, 'record').mockReturnValue(onDisk)
      let answered: unknown
      void chargeFor(PURSUIT_MS).then((error) => {
        answered = error
      })
      await clock.advance(3 * PURSUIT_MS)
      expect(record503).toHaveBeenCalledOnce()
      expect(answered).toBeUndefined()
      store.faults = {}
      await clock.advance(PURSUIT_MS)
      expect(types()).toEqual([])
      resolve()
      await clock.advance(1_000)
      expect(answered).toEqual(ERROR_503)
      expect(types()).toEqual(['CallFailed'])
    })

    test('ends as failed if the charge was not stored, and the balance is restored', async () => {
      store.faults = NO_ANSWER
      expect(await chargeFor(PURSUIT_MS)).toEqual(ERROR_503)
      await clock.advance(10 * PURSUIT_MS)
      expect(types()).toEqual([])
      expect(background.size).toBe(1)
      expect(balances.balanceMicros(companyId)).toBe(-1_250_000n)
      expect(calls.recorded.size).toBe(1)
      store.faults = {}
      await clock.advance(PURSUIT_MS)
      expect(types()).toEqual(['CallFailed'])
      expect(balances.balanceMicros(companyId)).toBe(0n)
      expect(calls.recorded.size).toBe(0)
      expect(await background.settled(1_000)).toBe(true)
    })

    test('is reversed if the charge was stored, even if the store fails again before the reversal', async () => {
      store.failNext(loseAnswer)
      store.faults = NO_ANSWER
      expect(await chargeFor(PURSUIT_MS)).toEqual(ERROR_503)
      store.faults = { ChargeReversed: unavailable }
      await clock.advance(3 * PURSUIT_MS)
      expect(types()).toEqual(['CallCharged'])
      expect(calls.recorded.size).toBe(1)
      store.faults = {}
      await clock.advance(PURSUIT_MS)
      expect(types()).toEqual(['CallCharged', 'ChargeReversed'])
      expect(calls.recorded.size).toBe(0)
      expect(await background.settled(1_000)).toBe(true)
    })

    test('is settled although it could not be recorded', async () => {
      vi.spyOn(calls, 'record').mockRejectedValue(new Error('ENOSPC'))
      store.faults = NO_ANSWER
      expect(await chargeFor(PURSUIT_MS)).toEqual(ERROR_503)
      store.faults = {}
      await clock.advance(2 * PURSUIT_MS)
      expect(types()).toEqual(['CallFailed'])
    })
  })

  describe('with a hard cap', () => {
    const ends: string[] = []
    let isSafe: boolean
    const hold: CallHold = {
      cover: async (costMicros) => {
        if (!isSafe) throw holdLost()
        return costMicros
      },
      isSafe: () => isSafe,
      settle: async () => void ends.push('settled'),
      release: () => void ends.push('released'),
    }
    beforeEach(() => {
      ends.length = 0
      isSafe = true
    })

    test('is not sent if the hold was lost while the answer was stored', async () => {
      const claim = {
        keep: async () => {
          isSafe = false
          return true
        },
        withdraw: async () => true,
      } as unknown as Claim
      record = begin({ hold, claim })
      expect(await chargeFor(1_000)).toEqual(ERROR_503)
      expect(await background.settled(1_000)).toBe(true)
      expect(types()).toEqual(['CallFailed'])
      expect(ends).toEqual(['released'])
    })

    test('is not sent again once the lease of the hold may end before it is stored', async () => {
      record = begin({ hold })
      store.failNext(async () => {
        isSafe = false
        throw new AppendOutcomeUnknown('a stream', 'time-out')
      })
      expect(await chargeFor(PURSUIT_MS + 1_000)).toEqual(ERROR_503)
      await clock.advance(PURSUIT_MS)
      expect(types()).toEqual(['CallFailed'])
      expect(ends).toEqual(['released'])
    })
  })

  test('a charge that is stored in time records nothing on the disk', async () => {
    const recorded = vi.spyOn(calls, 'record')
    await record.charge(USAGE, noAnswer)
    expect(recorded).not.toHaveBeenCalled()
  })
})

describe('a failure', () => {
  test('a failure is recorded in the background and costs nothing', async () => {
    record.fail('provider_cut')
    expect(await background.settled(1_000)).toBe(true)
    expect(types()).toEqual(['CallFailed'])
    expect(balances.balanceMicros(companyId)).toBe(0n)
  })

  test('a failure names the provider and the abandoned tokens of a stream', async () => {
    record.sentTo({ name: 'first' } as Provider)
    record.fail('client_left', 25)
    expect(await background.settled(1_000)).toBe(true)
    expect(store.stored(`ledger-${companyId}`)).toMatchObject([
      { data: { reason: 'client_left', provider: 'first', tokensAbandoned: 25, costMicros: null } },
    ])
  })

  test('abandoned tokens of a stream count at once, but not if they cannot be recorded', async () => {
    const abandoned = () => dailyTokens.tokensOf(companyId, '2026-01-01').abandoned
    store.faults = { CallFailed: unavailable }
    record.fail('client_left', 25)
    expect(abandoned()).toBe(25)
    await clock.advance(2 * PURSUIT_MS)
    expect(await background.settled(1_000)).toBe(true)
    expect(types()).toEqual([])
    expect(abandoned()).toBe(0)
  })

  test('failing a charged call or charging a failed one changes nothing', async () => {
    await record.charge(USAGE, noAnswer)
    record.fail('a fault of ours')
    expect(await background.settled(1_000)).toBe(true)
    expect(types()).toEqual(['CallCharged'])
  })
})
