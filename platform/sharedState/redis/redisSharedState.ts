import type { Clock } from '../../clock/clock.ts'
import type { Ids } from '../../ids/ids.ts'
import type { Log } from '../../logger/logger.ts'
import type { HoldTimes } from '../holds/port.ts'
import type { SharedState } from '../port.ts'
import { connect, firstAttempt } from './connection.ts'
import { Presence } from './presence.ts'
import { RedisCompanyChanges } from './redisCompanyChanges.ts'
import { RedisHolds } from './redisHolds.ts'
import { RedisLogFanOut } from './redisLogFanOut.ts'
import { RedisRateLimits } from './redisRateLimits.ts'

export type RedisSharedStateOptions = {
  readonly url: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** The id of this gateway among those that share the limits; null for a process that admits no calls. */
  readonly memberId: string | null
  /** The id of the event store whose positions the holds refer to. */
  readonly storeId: string
  readonly holdTimes?: HoldTimes
}

/**
 * Opens even if the server is unavailable, so that a gateway can start during an outage; it joins when the server is
 * back. If the server refuses the connection, this throws a SettingError.
 */
export async function openRedisSharedState({
  url,
  clock,
  ids,
  log,
  memberId,
  storeId,
  holdTimes,
}: RedisSharedStateOptions): Promise<SharedState> {
  const client = connect(url)
  const logFanOut = new RedisLogFanOut(client, clock, ids.uuid())
  const presence = new Presence({
    client,
    clock,
    ids,
    log,
    memberId,
    onJoined: (isForgotten) => void rateLimits.sendMissed(isForgotten),
    onBeat: () => logFanOut.countReaders(),
  })
  const rateLimits = new RedisRateLimits(client, presence, clock)
  try {
    await firstAttempt(client, clock)
  } catch (error) {
    client.disconnect()
    throw error
  }
  await presence.begin()
  return {
    rateLimits,
    holds: new RedisHolds(client, presence, clock, storeId, holdTimes),
    companyChanges: new RedisCompanyChanges(client, presence, clock, storeId),
    logFanOut,
    health: () => ({
      status: presence.isAvailable ? 'healthy' : 'degraded',
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
