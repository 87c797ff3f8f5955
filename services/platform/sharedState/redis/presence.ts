import { randomUUID } from 'node:crypto'
import type { Redis, Result } from 'ioredis'
import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import { inTime } from '../inTime.ts'
import { SHARED_STATE_BEAT_MS } from '../port.ts'
import { KEY_PREFIX } from './connection.ts'

const SHARED_STATE_SILENT_BEATS_MAX = 5
/** A gateway that was not heard of for this long no longer counts as one. */
const GATEWAY_ABSENT_MS = 5_000

/**
 * Announces a gateway and counts those that were heard of lately, by the server's own clock. The mark is made once and
 * lives as long as the server's data: when it has changed, the counters are gone too.
 */
const BEAT = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[1] ~= '' then redis.call('zadd', KEYS[1], now, ARGV[1]) end
redis.call('zremrangebyscore', KEYS[1], '-inf', now - ARGV[2])
redis.call('set', KEYS[2], ARGV[3], 'nx')
return { redis.call('zcard', KEYS[1]), redis.call('get', KEYS[2]) }
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateBeat(
      gateways: string,
      mark: string,
      memberId: string,
      absentMs: number,
      newMark: string,
    ): Result<[number, string], Context>
  }
}

const GATEWAYS = `${KEY_PREFIX}:gateways`
const MARK = `${KEY_PREFIX}:mark`

export type PresenceParts = {
  readonly client: Redis
  readonly clock: Clock
  readonly log: Log
  /** null for a process that counts no calls and so has no part in a limit. */
  readonly memberId: string | null
  /** The server answers again, or its data are new. `isForgotten`: what it was told before is gone. */
  onJoined(isForgotten: boolean): void
  /** At every beat, in the same journey to the server. */
  beside(): Promise<void>
}

/**
 * Knows whether the server is there, and how many gateways share the limits. It goes away with the first command that
 * fails, wherever that was sent, so that only the calls of one moment ever wait for it; it comes back with a beat.
 */
export class Presence {
  readonly #parts: PresenceParts
  readonly #stopping = new AbortController()
  readonly #onReady = () => void this.#beat()
  readonly #onClose = () => this.lost(new Error('the connection is closed'))
  #running: Promise<void> = Promise.resolve()
  #isThere = false
  #gateways = 1
  #latencyMs: number | null = null
  #mark: string | null = null
  #silentBeats = 0

  constructor(parts: PresenceParts) {
    this.#parts = parts
    parts.client.defineCommand('tollgateBeat', { numberOfKeys: 2, lua: BEAT })
  }

  get isThere(): boolean {
    return this.#isThere
  }

  /** As last seen; at least this one. */
  get gateways(): number {
    return this.#gateways
  }

  /** Of the last beat; null while the server is away. */
  get latencyMs(): number | null {
    return this.#isThere ? this.#latencyMs : null
  }

  /** Resolves after the first beat, answered or not. */
  async begin(): Promise<void> {
    const { client, log } = this.#parts
    await this.#beat()
    if (!this.#isThere) log.warn('Redis does not answer: limits are held by each gateway alone until it does')
    client.on('ready', this.#onReady)
    client.on('close', this.#onClose)
    this.#running = this.#run()
  }

  /** Told by whoever saw a command fail. */
  lost(error: unknown): void {
    if (!this.#isThere || this.#stopping.signal.aborted) return
    this.#isThere = false
    const { log } = this.#parts
    log.warn({ err: error, gateways: this.#gateways }, 'Redis is away: each gateway holds its part of every limit')
  }

  /** Says goodbye, so that the others need not wait for the absence to show. */
  async end(): Promise<void> {
    const { client, memberId } = this.#parts
    this.#stopping.abort()
    client.off('ready', this.#onReady)
    client.off('close', this.#onClose)
    await this.#running
    if (this.#isThere && memberId !== null) await inTime(client.zrem(GATEWAYS, memberId)).catch(() => {})
    this.#isThere = false
  }

  async #run(): Promise<void> {
    const { clock } = this.#parts
    for (;;) {
      await clock.delay(SHARED_STATE_BEAT_MS, this.#stopping.signal)
      if (this.#stopping.signal.aborted) return
      await this.#beat()
    }
  }

  async #beat(): Promise<void> {
    const { client, memberId, beside } = this.#parts
    const began = performance.now()
    try {
      const asked = client.tollgateBeat(GATEWAYS, MARK, memberId ?? '', GATEWAY_ABSENT_MS, randomUUID())
      const [[gateways, mark]] = await Promise.all([inTime(asked), beside()])
      if (this.#stopping.signal.aborted) return
      this.#latencyMs = Math.round((performance.now() - began) * 100) / 100
      this.#silentBeats = 0
      this.#joined(gateways, mark)
    } catch (error) {
      this.lost(error)
      this.#connectAnew()
    }
  }

  #joined(gateways: number, mark: string): void {
    const { log, onJoined } = this.#parts
    const isForgotten = this.#mark !== null && this.#mark !== mark
    // A server with new data has yet to hear of the others, who have not gone for that.
    this.#gateways = Math.max(1, gateways, isForgotten ? this.#gateways : 0)
    const wasThere = this.#isThere
    this.#isThere = true
    this.#mark = mark
    if (wasThere && !isForgotten) return
    log.info({ gateways: this.#gateways, isForgotten }, 'Redis answers: limits are held together')
    onJoined(isForgotten)
  }

  /** A connection that was cut without a word, or one that hangs half-open, would never end by itself. */
  #connectAnew(): void {
    const { client } = this.#parts
    this.#silentBeats++
    if (this.#silentBeats < SHARED_STATE_SILENT_BEATS_MAX) return
    this.#silentBeats = 0
    if (client.status === 'ready' || client.status === 'connect') client.disconnect(true)
  }
}
