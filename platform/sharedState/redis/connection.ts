import { Redis } from 'ioredis'
import type { Clock } from '../../clock/clock.ts'
import { settlesWithin } from '../../clock/within.ts'
import { SettingError } from '../../config/settingError.ts'

const SHARED_STATE_CONNECT_MS = 2_000
/**
 * How long a call waits for a command. Then its gateway continues without the shared state. The client's own time-outs
 * do not cover a command that waits for its turn in a pipeline.
 */
export const SHARED_STATE_ANSWER_MS = 250

const RECONNECT_MS = { first: 50, max: 1_000 }
const KEEP_ALIVE_MS = 5_000

/** The prefix of every key, so that other programs can use the same server. */
export const KEY_PREFIX = 'tollgate'

/**
 * Concurrent commands are pipelined. Commands are neither queued while the server is unavailable nor repeated after a
 * lost connection, because the caller has moved on.
 */
export function connect(url: string): Redis {
  const client = new Redis(url, {
    lazyConnect: true,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    // This also makes the client reject, rather than drop, the commands of a lost connection.
    maxRetriesPerRequest: 0,
    connectTimeout: SHARED_STATE_CONNECT_MS,
    keepAlive: KEEP_ALIVE_MS,
    retryStrategy: (attempts) => Math.min(RECONNECT_MS.first * 2 ** Math.min(attempts - 1, 10), RECONNECT_MS.max),
  })
  // Presence detects outages from the results. Without a listener the client would print errors to the console.
  client.on('error', () => {})
  return client
}

/**
 * Waits for the first attempt to connect. If the server is unavailable, the client keeps trying. If the server refuses
 * the connection, for example because of a wrong password, this throws.
 */
export async function firstAttempt(client: Redis, clock: Clock): Promise<void> {
  const { promise: connected, resolve, reject } = Promise.withResolvers<void>()
  const onError = (error: Error) => {
    if (error.name === 'ReplyError')
      reject(new SettingError(`REDIS_URL: the server refuses the connection: ${error.message}`))
  }
  client.on('error', onError)
  try {
    // A failed attempt also resolves, but only after a refusal by the server was reported.
    client
      .connect()
      .catch(() => {})
      .then(resolve)
    await settlesWithin(connected, SHARED_STATE_CONNECT_MS, clock)
  } finally {
    client.off('error', onError)
  }
}
