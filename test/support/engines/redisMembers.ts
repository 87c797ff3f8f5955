import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../../../platform/clock/clock.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import type { HoldTimes } from '../../../platform/sharedState/holds/port.ts'
import type { SharedState } from '../../../platform/sharedState/port.ts'
import { SHARED_STATE_ANSWER_MS } from '../../../platform/sharedState/redis/connection.ts'
import { openRedisSharedState } from '../../../platform/sharedState/redis/redisSharedState.ts'
import { until } from '../time/until.ts'

const { log } = openLog({ level: 'silent', file: null })
/** On a busy machine, even a healthy server may not answer in time. */
const PATIENT_ANSWER_MS = 8 * SHARED_STATE_ANSWER_MS

type MemberOptions = { readonly holdTimes?: HoldTimes; readonly isPatient?: boolean }

/**
 * The shared state of one gateway after another, all on one server; closed together. They wait for answers longer than
 * services do, unless the test is about a server that does not answer.
 */
export class RedisMembers {
  readonly #url: string
  readonly #clock: Clock
  readonly #holdTimes: HoldTimes | undefined
  readonly #open: SharedState[] = []

  constructor(url: string, clock: Clock = systemClock, { holdTimes, isPatient = true }: MemberOptions = {}) {
    this.#url = url
    this.#clock = isPatient ? patient(clock) : clock
    this.#holdTimes = holdTimes
  }

  async gateway(): Promise<SharedState> {
    return this.#add(randomUUID())
  }

  /** A process that admits no calls, such as the backend. */
  async other(): Promise<SharedState> {
    return this.#add(null)
  }

  /** Opens several members and waits until they have seen each other. */
  async gateways(count: number): Promise<SharedState[]> {
    const gateways = await Promise.all(Array.from({ length: count }, () => this.gateway()))
    await until('all have seen each other', () => gateways.every((one) => one.health().gateways === count))
    return gateways
  }

  async untilAll(status: 'healthy' | 'degraded'): Promise<void> {
    await until(`all are ${status}`, () => this.#open.every((one) => one.health().status === status))
  }

  async close(): Promise<void> {
    await Promise.all(this.#open.map((one) => one.close()))
  }

  async #add(memberId: string | null): Promise<SharedState> {
    const state = await openRedisSharedState({
      url: this.#url,
      clock: this.#clock,
      ids: systemIds,
      log,
      memberId,
      storeId: 'test',
      holdTimes: this.#holdTimes,
    })
    this.#open.push(state)
    return state
  }
}

function patient(clock: Clock): Clock {
  return {
    ...clock,
    after: (ms, callback) => clock.after(ms === SHARED_STATE_ANSWER_MS ? PATIENT_ANSWER_MS : ms, callback),
  }
}
