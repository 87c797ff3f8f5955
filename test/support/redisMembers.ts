import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../../services/platform/clock/clock.ts'
import { systemIds } from '../../services/platform/ids/ids.ts'
import { openLog } from '../../services/platform/log/log.ts'
import type { HoldTimes } from '../../services/platform/sharedState/holds/port.ts'
import type { SharedState } from '../../services/platform/sharedState/port.ts'
import { openRedisSharedState } from '../../services/platform/sharedState/redis/redisSharedState.ts'
import { until } from './until.ts'

const { log } = openLog({ level: 'silent', file: null })

/** The shared state of one gateway after another, all on one server; closed together. */
export class RedisMembers {
  readonly #url: string
  readonly #clock: Clock
  readonly #holdTimes: HoldTimes | undefined
  readonly #open: SharedState[] = []

  constructor(url: string, clock: Clock = systemClock, holdTimes?: HoldTimes) {
    this.#url = url
    this.#clock = clock
    this.#holdTimes = holdTimes
  }

  async gateway(): Promise<SharedState> {
    return this.#add(randomUUID())
  }

  /** A process that admits no calls, such as the backend. */
  async other(): Promise<SharedState> {
    return this.#add(null)
  }

  /** Several that have seen each other. */
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
