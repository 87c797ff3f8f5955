import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { history } from '../../support/events/history.ts'
import type { StoredEvent } from './events.ts'

/** The events of a stream as a checker reads them, for tests of checkers. Ends of calls have the ids of their calls. */
export function storedStream(stream: `${string}-${string}`, ...events: readonly EventOf[]): StoredEvent[] {
  const recorded = history(stream as never, ...(events as never[])) as unknown as StoredEvent[]
  return recorded.map((event) =>
    event.type === 'CallCharged' || event.type === 'CallFailed' ? { ...event, id: event.data.callId } : event,
  )
}
