import { isoTime } from '../../platform/clock/clock.ts'
import type { LogDelivery, LogFanOut, LogSubscription } from '../../platform/sharedState/port.ts'
import { apiError } from './apiError.ts'
import type { GraphqlContext } from './context.ts'
import type { LogEntry } from './generated.ts'
import { signInCheck } from './signInCheck.ts'

/** As the GraphQL schema names it. */
type Shown = { readonly logStream: LogEntry }

/**
 * The log as one reader sees it. A reader that is too slow gets an entry that says how many were lost. The stream ends
 * soon after the reader's token expires, and at once when the reader disconnects, also while nothing is logged.
 */
export function watchLog(context: GraphqlContext): AsyncIterableIterator<Shown> {
  const { clock, engines } = context.runtime
  const subscription = subscribe(engines.sharedState.logFanOut)
  let held: LogDelivery | null = null
  const checkSignIn = signInCheck(context)
  const requireSignedIn = () =>
    checkSignIn().catch((error: unknown) => {
      subscription.close()
      throw error
    })

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
