import { isoTime } from '../../../../platform/clock/clock.ts'
import type { LogDelivery, LogFanOut, LogSubscription } from '../../../../platform/sharedState/port.ts'
import { apiError } from '../apiError.ts'
import type { GraphqlContext } from '../context.ts'
import type { LogEntry } from '../generated.ts'
import { guardedStream } from './guardedStream.ts'

/** As the GraphQL schema names it. */
type Shown = { readonly logStream: LogEntry }

/** The log as one reader sees it. A reader that is too slow gets an entry that says how many were lost. */
export function watchLog(context: GraphqlContext): Promise<AsyncIterableIterator<Shown>> {
  const { clock, engines } = context.runtime
  return guardedStream(context, {
    open: () => subscribe(engines.sharedState.logFanOut),
    shown: (delivery: LogDelivery) => {
      const { lostBefore } = delivery
      const entry = shownEntry(delivery)
      return lostBefore === 0 ? [entry] : [lossOf(lostBefore, isoTime(clock.now())), entry]
    },
  })
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
