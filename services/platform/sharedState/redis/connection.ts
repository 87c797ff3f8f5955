import { Redis } from 'ioredis'
import { SettingError } from '../../config/settingError.ts'

const SHARED_STATE_CONNECT_MS = 2_000

const RECONNECT_MS = { first: 50, max: 1_000 }
const KEEP_ALIVE_MS = 5_000

/** What every key begins with, so that the server can be shared with other programs. */
export const KEY_PREFIX = 'tollgate'

/**
 * Commands of the same moment travel together. None is kept for a server that is away, nor sent again after a lost
 * connection: whoever asked has gone on without the answer.
 */
export function connect(url: string): Redis {
  const client = new Redis(url, {
    lazyConnect: true,
    enableAutoPipelining: true,
    enableOfflineQueue: false,
    // Also what makes the client give up, and not forget, the commands of a connection that is lost.
    maxRetriesPerRequest: 0,
    connectTimeout: SHARED_STATE_CONNECT_MS,
    keepAlive: KEEP_ALIVE_MS,
    retryStrategy: (attempts) => Math.min(RECONNECT_MS.first * 2 ** Math.min(attempts - 1, 10), RECONNECT_MS.max),
  })
  // Whether the server is there is known from its answers; without a listener the client would print to the console.
  client.on('error', () => {})
  return client
}

/**
 * Waits for the first attempt to connect. A server that is away may come back, and the client goes on trying; one that
 * answers but refuses us will not change its mind.
 */
export async function firstAttempt(client: Redis): Promise<void> {
  const { promise: refused, reject } = Promise.withResolvers<never>()
  const { promise: timeIsUp, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, SHARED_STATE_CONNECT_MS)
  const onError = (error: Error) => {
    if (error.name === 'ReplyError') reject(new SettingError(`REDIS_URL: the server refuses: ${error.message}`))
  }
  client.on('error', onError)
  try {
    await Promise.race([client.connect().catch(() => {}), refused, timeIsUp])
  } finally {
    clearTimeout(timer)
    client.off('error', onError)
  }
}
