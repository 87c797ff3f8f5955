import { isoTime } from '../../platform/clock/clock.ts'
import type { LogDelivery, LogFanOut, LogSubscription } from '../../platform/sharedState/port.ts'
import { apiError } from './apiError.ts'
import type { GraphqlContext } from './context.ts'
import type { LogEntry } from './generated.ts'

/** As the GraphQL schema names it. */
type Shown = { readonly logStream: LogEntry }

/** How often the reader's token is checked again. */
const SIGN_IN_CHECK_MS = 5_000

/**
 * The log as one reader sees it. A reader that is too slow gets an entry that says how many were lost. The stream ends
 * soon after the reader's token expires, and at once when the reader disconnects, also while nothing is logged.
 */
export function watchLog({ runtime, isStillSignedIn }: GraphqlContext): AsyncIterableIterator<Shown> {
  const { clock, engines } = runtime
  const subscription = subscribe(engines.sharedState.logFanOut)
  let held: LogDelivery | null = null
  let checkedAtMs = clock.now()

  const requireSignedIn = async () => {
    const now = clock.now()
    if (now - checkedAtMs < SIGN_IN_CHECK_MS) return
    checkedAtMs = now
    if (await isStillSignedIn()) return
    subscription.close()
    throw apiError('UNAUTHENTICATED', 'the token is no longer valid')
  }

  return {
    next: async () => {
      if (held) {
        const value = shownEntry(held)
        held = null
        return { done: false, value }
      }
      const { done, value } = await subscription.next()
      if (done) return { done, value: undefined }
      await requireSignedIn()
      if (value.lostBefore === 0) return { done: false, value: shownEntry(value) }
      held = value
      return { done: false, value: lossOf(value.lostBefore, isoTime(clock.now())) }
    },
    return: async () => {
      subscription.close()
      return { done: true, value: undefined }
    },
    throw: async (error) => {
      subscription.close()
      throw error
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

function subscribe(fanOut: LogFanOut): LogSubscription {
  try {
    return fanOut.subscribe()
  } catch (error) {
    throw apiError('RATE_LIMITED', (error as Error).message)
  }
}

function shownEntry({ entry: { service, context, ...entry } }: LogDelivery): Shown {
  return { logStream: { ...entry, context: { service, ...context } } }
}

function lossOf(lost: number, timestamp: string): Shown {
  const message = `${lost} ${lost === 1 ? 'entry was' : 'entries were'} lost: this reader is too slow`
  return { logStream: { timestamp, level: 'warn', message, context: { lost } } }
}
