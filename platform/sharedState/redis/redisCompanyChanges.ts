import type { Redis, Result } from 'ioredis'
import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import {
  CHANGE_KEPT_MS,
  CHANGED_CATEGORIES,
  type ChangedCategory,
  type ChangedPositions,
  type CompanyChanges,
} from '../companyChanges/port.ts'
import { KEY_PREFIX, SHARED_STATE_ANSWER_MS } from './connection.ts'
import type { Presence } from './presence.ts'

/** Two backends may record in a different order than the store. */
const RECORD = `
if (redis.call('hget', KEYS[1], ARGV[1]) or '') < ARGV[2] then redis.call('hset', KEYS[1], ARGV[1], ARGV[2]) end
redis.call('pexpire', KEYS[1], ARGV[3])
return 1
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateCompanyChanged(key: string, category: string, position: string, keptMs: number): Result<number, Context>
  }
}

/** Changes of companies that all processes share. */
export class RedisCompanyChanges implements CompanyChanges {
  readonly #client: Redis
  readonly #presence: Pick<Presence, 'isAvailable' | 'lost'>
  readonly #clock: Clock
  readonly #storeId: string

  constructor(client: Redis, presence: Pick<Presence, 'isAvailable' | 'lost'>, clock: Clock, storeId: string) {
    this.#client = client
    this.#presence = presence
    this.#clock = clock
    this.#storeId = storeId
    client.defineCommand('tollgateCompanyChanged', { numberOfKeys: 1, lua: RECORD })
  }

  async record(companyId: string, category: ChangedCategory, position: Position): Promise<void> {
    await this.#ask((client) =>
      client.tollgateCompanyChanged(this.#keyOf(companyId), category, position, CHANGE_KEPT_MS),
    )
  }

  async read(companyId: string): Promise<ChangedPositions> {
    const found = await this.#ask((client) => client.hmget(this.#keyOf(companyId), ...CHANGED_CATEGORIES))
    const known = CHANGED_CATEGORIES.flatMap((category, n) => (found[n] ? [[category, found[n] as Position]] : []))
    return Object.fromEntries(known)
  }

  /** Positions of another store are meaningless here. */
  #keyOf(companyId: string): string {
    return `${KEY_PREFIX}:changes:${this.#storeId}:${companyId}`
  }

  async #ask<Answer>(ask: (client: Redis) => Promise<Answer>): Promise<Answer> {
    if (!this.#presence.isAvailable) throw new Error('Redis is unavailable')
    try {
      return await within(ask(this.#client), SHARED_STATE_ANSWER_MS, this.#clock)
    } catch (error) {
      // A ReplyError is a fault in a script: the server is available.
      if ((error as Error).name !== 'ReplyError') this.#presence.lost(error)
      throw error
    }
  }
}
