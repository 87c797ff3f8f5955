import type { Redis } from 'ioredis'
import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { HOLD_TIMES } from '../holds/memoryHolds.ts'
import type { HeldCall, HoldAnswer, HoldRequest, HoldTable, HoldTimes, SettledCall } from '../holds/port.ts'
import { SHARED_STATE_ANSWER_MS } from './connection.ts'
import { companyKeys, defineHoldScripts, stateKey } from './holdScripts.ts'
import type { Presence } from './presence.ts'

/**
 * The largest number that a script adds exactly, about nine billion credits. Larger balances count as this much. Larger
 * amounts, and holds that sum up to more, are refused.
 */
const MICROS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Holds in Redis, each decided atomically by a script. While the server is unavailable no call is admitted: unlike a rate
 * limit, a hard cap cannot be enforced by each gateway alone.
 */
export class RedisHolds implements HoldTable {
  readonly #client: Redis
  readonly #presence: Pick<Presence, 'isAvailable' | 'lost'>
  readonly #clock: Clock
  readonly #storeId: string
  readonly #state: string
  readonly #times: HoldTimes

  constructor(
    client: Redis,
    presence: Pick<Presence, 'isAvailable' | 'lost'>,
    clock: Clock,
    storeId: string,
    times: HoldTimes = HOLD_TIMES,
  ) {
    this.#client = client
    this.#presence = presence
    this.#clock = clock
    this.#storeId = storeId
    this.#state = stateKey(storeId)
    this.#times = times
    defineHoldScripts(client)
  }

  async enter(owner: string): Promise<void> {
    await this.#ask((client) => client.tollgateHoldEnter(this.#state, owner, this.#times.leaseMs))
  }

  async renew(owner: string): Promise<boolean> {
    return (await this.#ask((client) => client.tollgateHoldRenew(owner, this.#times.leaseMs))) === 1
  }

  async place(request: HoldRequest): Promise<HoldAnswer> {
    const { owner, companyId, holdId, amountMicros, balanceMicros, position, isBroughtBack } = request
    const { leaseMs, settledKeptMs } = this.#times
    // One more than any balance, so that it is refused.
    const amount = amountMicros > MICROS_MAX ? MICROS_MAX + 1n : amountMicros
    const balance = balanceMicros > MICROS_MAX ? MICROS_MAX : balanceMicros
    const [outcome, ...rest] = await this.#ask((client) =>
      client.tollgateHoldPlace(
        ...companyKeys(this.#storeId, companyId, owner),
        ...([this.#state, owner, holdId, amount.toString(), balance.toString(), position] as const),
        ...([leaseMs, settledKeptMs, isBroughtBack ? 1 : 0] as const),
      ),
    )
    switch (outcome) {
      case 'held':
        return { outcome, lapsed: rest.map(String) }
      case 'refused': {
        const [held, unseen, ...lapsed] = rest.map(String)
        return { outcome, heldMicros: BigInt(held ?? 0), unseenMicros: BigInt(unseen ?? 0), lapsed }
      }
      case 'behind':
        return { outcome, floor: String(rest[0]) as Position }
      case 'closed':
        return { outcome, opensInMs: Number(rest[0]) }
      case 'lapsed':
      case 'headNeeded':
        return { outcome }
      default:
        throw new Error(`the script that places a hold returned the unknown outcome ${outcome}`)
    }
  }

  async settle({ owner, companyId, holdId, position, amountMicros }: SettledCall): Promise<void> {
    const amount = amountMicros > MICROS_MAX ? MICROS_MAX : amountMicros
    await this.#ask((client) =>
      client.tollgateHoldSettle(
        ...companyKeys(this.#storeId, companyId, owner),
        owner,
        holdId,
        position,
        amount.toString(),
      ),
    )
  }

  async release({ owner, companyId, holdId }: HeldCall): Promise<void> {
    await this.#ask((client) =>
      client.tollgateHoldRelease(...companyKeys(this.#storeId, companyId, owner), owner, holdId),
    )
  }

  async reap(companyId: string, owner: string, head: Position): Promise<void> {
    await this.#ask((client) => client.tollgateHoldReap(...companyKeys(this.#storeId, companyId, owner), owner, head))
  }

  async reopen(head: Position): Promise<void> {
    await this.#ask((client) => client.tollgateHoldReopen(this.#state, head, this.#times.leaseMs))
  }

  async #ask<Answer>(question: (client: Redis) => Promise<Answer>): Promise<Answer> {
    if (!this.#presence.isAvailable) throw new Error('Redis is unavailable')
    try {
      return await within(question(this.#client), SHARED_STATE_ANSWER_MS, this.#clock)
    } catch (error) {
      // A ReplyError is a fault in a script: the server is available.
      if ((error as Error).name !== 'ReplyError') this.#presence.lost(error)
      throw error
    }
  }
}
