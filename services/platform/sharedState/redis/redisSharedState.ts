import { randomUUID } from 'node:crypto'
import type { Clock } from '../../clock/clock.ts'
import type { Log } from '../../log/log.ts'
import type { HoldTimes } from '../holds/port.ts'
import type { SharedState } from '../port.ts'
import { connect, firstAttempt } from './connection.ts'
import { Presence } from './presence.ts'
import { RedisHolds } from './redisHolds.ts'
import { RedisLogFanOut } from './redisLogFanOut.ts'
import { RedisRateLimits } from './redisRateLimits.ts'

export type RedisSharedStateOptions = {
  readonly url: string
  readonly clock: Clock
  readonly log: Log
  /** The name of this gateway among those that hold the limits together; null for a process that admits no calls. */
  readonly memberId: string | null
  /** Of the event store whose positions the holds go by. */
  readonly storeId: string
  readonly holdTimes?: HoldTimes
}

/**
 * Opens also when the server is away, so that a gateway can start again during an outage; it joins when the server is
 * back. A server that answers and refuses us stops the start.
 */
export async function openRedisSharedState({
  url,
  clock,
  log,
  memberId,
  storeId,
  holdTimes,
}: RedisSharedStateOptions): Promise<SharedState> {
  const client = connect(url)
  const logFanOut = new RedisLogFanOut(client, randomUUID())
  const presence = new Presence({
    client,
    clock,
    log,
    memberId,
    onJoined: (isForgotten) => void rateLimits.bringUnsent(isForgotten),
    beside: () => logFanOut.countReaders(),
  })
  const rateLimits = new RedisRateLimits(client, presence, clock)
  try {
    await firstAttempt(client)
  } catch (error) {
    client.disconnect()
    throw error
  }
  await presence.begin()
  return {
    rateLimits,
    holds: new RedisHolds(client, presence, storeId, holdTimes),
    logFanOut,
    health: () => ({
      status: presence.isThere ? 'healthy' : 'degraded',
      gateways: presence.gateways,
      latency_ms: presence.latencyMs,
    }),
    close: async () => {
      logFanOut.close()
      await presence.end()
      client.disconnect()
    },
  }
}
