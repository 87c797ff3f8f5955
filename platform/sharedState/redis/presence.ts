import type { Redis, Result } from 'ioredis'
import type { Clock } from '../../clock/clock.ts'
import { within } from '../../clock/within.ts'
import { latencyMs } from '../../dependencyHealth.ts'
import type { Ids } from '../../ids/ids.ts'
import type { Log } from '../../logger/logger.ts'
import { SHARED_STATE_BEAT_MS } from '../port.ts'
import { KEY_PREFIX, SHARED_STATE_ANSWER_MS } from './connection.ts'

/** After this many heartbeats without an answer the client reconnects. */
const SHARED_STATE_SILENT_BEATS_MAX = 5
/** A gateway without a heartbeat for this long no longer counts. */
const GATEWAY_ABSENT_MS = 5_000

/**
 * Records the heartbeat of a gateway and counts the gateways with a recent one, by the clock of the server. The mark is
 * set once and lasts as long as the data of the server: if it has changed, the counters are lost too.
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

export type PresenceOptions = {
  readonly client: Redis
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** null for a process that admits no calls and so does not share the limits. */
  readonly memberId: string | null
  /** Called when the server answers again or its data is new. `isForgotten`: the server lost its earlier data. */
  onJoined(isForgotten: boolean): void
  /** Called at every heartbeat. Its commands are pipelined with the heartbeat. */
  onBeat(): Promise<void>
}

/**
 * Tracks whether the server is available, and how many gateways share the limits. The first failed command anywhere
 * marks the server as unavailable, so only the calls in flight wait for it; a heartbeat marks it available again.
 */
export class Presence {
  readonly #options: PresenceOptions
  readonly #stopping = new AbortController()
  readonly #onReady = () => void this.#beat()
  readonly #onClose = () => this.lost(new Error('the connection is closed'))
  #running: Promise<void> = Promise.resolve()
  #isAvailable = false
  #gateways = 1
  #latencyMs: number | null = null
  #mark: string | null = null
  #silentBeats = 0

  constructor(options: PresenceOptions) {
    this.#options = options
    options.client.defineCommand('tollgateBeat', { numberOfKeys: 2, lua: BEAT })
  }

  get isAvailable(): boolean {
    return this.#isAvailable
  }

  /** The number last seen, at least 1. */
  get gateways(): number {
    return this.#gateways
  }

  /** The latency of the last heartbeat; null while the server is unavailable. */
  get latencyMs(): number | null {
    return this.#isAvailable ? this.#latencyMs : null
  }

  /** Resolves after the first heartbeat, answered or not. */
  async begin(): Promise<void> {
    const { client, log } = this.#options
    await this.#beat()
    if (!this.#isAvailable) log.warn('Redis does not answer: each gateway enforces the limits alone until it does')
    client.on('ready', this.#onReady)
    client.on('close', this.#onClose)
    this.#running = this.#run()
  }

  /** Called when a command has failed. */
  lost(error: unknown): void {
    if (!this.#isAvailable || this.#stopping.signal.aborted) return
    this.#isAvailable = false
    const { log } = this.#options
    log.warn(
      { err: error, gateways: this.#gateways },
      'Redis is unavailable: each gateway enforces its share of every limit',
    )
  }

  /** Removes this gateway, so that the others need not wait until its heartbeat is too old. */
  async end(): Promise<void> {
    const { client, memberId } = this.#options
    this.#stopping.abort()
    client.off('ready', this.#onReady)
    client.off('close', this.#onClose)
    await this.#running
    if (this.#isAvailable && memberId !== null) await this.#inTime(client.zrem(GATEWAYS, memberId)).catch(() => {})
    this.#isAvailable = false
  }

  async #run(): Promise<void> {
    const { clock } = this.#options
    for (;;) {
      await clock.delay(SHARED_STATE_BEAT_MS, this.#stopping.signal)
      if (this.#stopping.signal.aborted) return
      await this.#beat()
    }
  }

  async #beat(): Promise<void> {
    const { client, clock, ids, memberId, onBeat } = this.#options
    const sentAt = clock.monotonicMs()
    try {
      const beat = client.tollgateBeat(GATEWAYS, MARK, memberId ?? '', GATEWAY_ABSENT_MS, ids.uuid())
      const [[gateways, mark]] = await Promise.all([this.#inTime(beat), onBeat()])
      if (this.#stopping.signal.aborted) return
      this.#latencyMs = latencyMs(sentAt, clock)
      this.#silentBeats = 0
      this.#joined(gateways, mark)
    } catch (error) {
      this.lost(error)
      this.#reconnectIfSilent()
    }
  }

  #inTime<Result>(command: Promise<Result>): Promise<Result> {
    return within(command, SHARED_STATE_ANSWER_MS, this.#options.clock)
  }

  #joined(gateways: number, mark: string): void {
    const { log, onJoined } = this.#options
    const isForgotten = this.#mark !== null && this.#mark !== mark
    // A server with new data does not know the other gateways yet, although they are still running.
    this.#gateways = Math.max(1, gateways, isForgotten ? this.#gateways : 0)
    const wasAvailable = this.#isAvailable
    this.#isAvailable = true
    this.#mark = mark
    if (wasAvailable && !isForgotten) return
    log.info({ gateways: this.#gateways, isForgotten }, 'Redis is available: the gateways share the limits')
    onJoined(isForgotten)
  }

  /** A connection that was cut silently or hangs half-open would never end by itself. */
  #reconnectIfSilent(): void {
    const { client } = this.#options
    this.#silentBeats++
    if (this.#silentBeats < SHARED_STATE_SILENT_BEATS_MAX) return
    this.#silentBeats = 0
    if (client.status === 'ready' || client.status === 'connect') client.disconnect(true)
  }
}
