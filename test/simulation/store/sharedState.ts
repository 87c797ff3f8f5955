import type { Clock } from '../../../platform/clock/clock.ts'
import {
  emptyHoldState,
  HOLD_TIMES,
  type HoldState,
  MemoryHolds,
} from '../../../platform/sharedState/holds/memoryHolds.ts'
import type { HoldTable } from '../../../platform/sharedState/holds/port.ts'
import {
  MemoryCompanyChanges,
  memoryLogFanOut,
  memoryRateLimits,
} from '../../../platform/sharedState/memorySharedState.ts'
import type { SharedState } from '../../../platform/sharedState/port.ts'
import type { Answers } from '../../contract/answers.ts'
import type { Counters } from '../counters.ts'
import type { FaultPlan } from '../faults/faultPlan.ts'
import type { Random } from '../scheduler/random.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import { MemoryAnswers } from './memoryAnswers.ts'
import { RemoteCalls, type RemoteFate } from './remoteCalls.ts'

/** How long a caller waits for an answer, as the adapters for PostgreSQL do. */
const LIMITS_MS = { answers: 5_000, holds: 2_000, changes: 500 } as const
type Part = keyof typeof LIMITS_MS

const SILENT_MS_MAX = 25_000

type Options = {
  readonly scheduler: Scheduler
  readonly faults: FaultPlan
  readonly random: Random
  readonly counters: Counters
  readonly clock: Clock
  /** Pauses the process that asks. */
  readonly pauseCaller: () => void
}

/** State that all gateways share: answers of calls, holds, changes of companies, and the limits of keys. */
export class SimulatedSharedState {
  readonly answers: Answers
  readonly shared: SharedState
  readonly claims: MemoryAnswers['claims']
  readonly holds: HoldState = emptyHoldState()
  /** When processes did not reach it. */
  readonly cutOffs: { readonly name: string; readonly fromMs: number; readonly toMs: number }[] = []
  readonly #options: Options
  readonly #remote: RemoteCalls
  /** The processes that do not reach it, and until when. */
  readonly #cutOff = new Map<string, number>()

  constructor(options: Options) {
    this.#options = options
    const { clock, scheduler, random, counters, faults, pauseCaller } = options
    this.#remote = new RemoteCalls(scheduler, random)
    const answers = new MemoryAnswers(() => clock.now(), counters)
    this.claims = answers.claims
    this.answers = {
      claim: async (request) => {
        const claimed = await this.#call('answers', 'claim', () => answers.claim(request))
        // Another request may take the claim over meanwhile.
        if (claimed.is === 'claimed' && faults.happens('process is paused after a claim')) pauseCaller()
        return claimed
      },
      renew: (held) => this.#call('answers', 'renew', () => answers.renew(held)),
      keep: (holding, sealed) => this.#call('answers', 'keep', () => answers.keep(holding, sealed)),
      settle: (...call) => this.#call('answers', 'settle', () => answers.settle(...call)),
      release: (holding) => this.#call('answers', 'release', () => answers.release(holding)),
      giveUp: (holding, callId) => this.#call('answers', 'giveUp', () => answers.giveUp(holding, callId)),
      withdraw: (holding, callId) => this.#call('answers', 'withdraw', () => answers.withdraw(holding, callId)),
    }
    const changes = new MemoryCompanyChanges()
    const table = new MemoryHolds(clock, HOLD_TIMES, this.holds)
    this.shared = {
      rateLimits: memoryRateLimits(clock),
      holds: this.#holds(table),
      companyChanges: {
        record: (...change) => this.#call('changes', 'record', () => changes.record(...change)),
        read: (companyId) => this.#call('changes', 'read', () => changes.read(companyId)),
      },
      logFanOut: memoryLogFanOut(),
      health: () => ({ status: 'healthy', gateways: 2, latency_ms: 0 }),
      close: async () => {},
    }
  }

  #holds(table: MemoryHolds): HoldTable {
    return {
      enter: (owner) => this.#call('holds', 'enter', () => table.enter(owner)),
      renew: (owner) => this.#call('holds', 'renew', () => table.renew(owner)),
      place: async (request) => {
        const answer = await this.#call('holds', 'place', () => table.place(request))
        if (answer.outcome === 'refused') this.#options.counters.hit('a hold is refused')
        return answer
      },
      settle: (call) => this.#call('holds', 'settle', () => table.settle(call)),
      release: (call) => this.#call('holds', 'release', () => table.release(call)),
      reap: (...reaped) => {
        this.#options.counters.hit('holds of a lapsed gateway are reaped')
        return this.#call('holds', 'reap', () => table.reap(...reaped))
      },
      reopen: () => this.#call('holds', 'reopen', () => table.reopen()),
    }
  }

  /** The work itself is done at once when it arrives, although it may be written as a promise. */
  async #call<Result>(part: Part, label: string, work: () => Result): Promise<Awaited<Result>> {
    return await this.#remote.call(`${part} ${label}`, this.#fateOf(part), work)
  }

  #fateOf(part: Part): RemoteFate {
    const { scheduler, faults, random } = this.#options
    const name = scheduler.processes.getStore()?.name ?? ''
    const limitMs = LIMITS_MS[part]
    if (faults.happens('shared state is silent')) {
      // What was sent before arrives when it ends, so that nothing is late by more than that.
      const untilMs = scheduler.nowMs + random.fraction() ** 2 * SILENT_MS_MAX
      faults.lastsFor(untilMs - scheduler.nowMs)
      this.#cutOff.set(name, Math.max(this.#cutOff.get(name) ?? 0, untilMs))
      this.cutOffs.push({ name, fromMs: scheduler.nowMs, toMs: untilMs })
      scheduler.record(`${name} does not reach the shared state`)
    }
    const silentMs = (this.#cutOff.get(name) ?? 0) - scheduler.nowMs
    const usual = this.#remote.usual()
    // A request that its caller has given up may still arrive.
    if (silentMs > 0) {
      const arrivesInMs = random.chance(0.5) ? silentMs : null
      return silentMs < limitMs && arrivesInMs !== null
        ? { arrivesInMs, answeredInMs: arrivesInMs + 1 }
        : { arrivesInMs, answeredInMs: limitMs, failure: noAnswer() }
    }
    if (!faults.happens('shared state fails')) return usual
    this.cutOffs.push({ name, fromMs: scheduler.nowMs, toMs: scheduler.nowMs })
    return { ...usual, ...(random.chance(0.5) && { arrivesInMs: null }), failure: noAnswer() }
  }
}

function noAnswer(): Error {
  return new Error('timeout: no answer of the shared state')
}
