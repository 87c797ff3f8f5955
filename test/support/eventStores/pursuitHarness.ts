import type { NewEvent } from '../../../contracts/envelope.ts'
import type { AppendResult, ExpectedRevision } from '../../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import { anEvent } from '../events/events.ts'
import { ManualClock } from '../time/manualClock.ts'
import { MemoryEventStore } from './memoryEventStore.ts'

export const PURSUIT_MS = 10_000
export const STREAM = 'ledger-1'

export type Outcome = { result?: AppendResult; error?: unknown }

/** An appender on a store that can be made to fail, with a manual clock. */
export function pursuitHarness(idsAreUnique: boolean) {
  const store = new MemoryEventStore({ idsAreUnique })
  const clock = new ManualClock()
  const appender = new PursuingAppender(store, clock, PURSUIT_MS)
  return {
    store,
    clock,
    appender,
    /** The stream has two events, which the appender knows. */
    openStream: () => appender.append(STREAM, 'none', [anEvent(), anEvent()]),
    /** Starts an append and notes its outcome, so that the test can move the clock meanwhile. */
    start: (events: readonly NewEvent[], expected: ExpectedRevision = 'any', stream = STREAM): Outcome => {
      const outcome: Outcome = {}
      appender.append(stream, expected, events).then(
        (result) => {
          outcome.result = result
        },
        (error) => {
          outcome.error = error
        },
      )
      return outcome
    },
    timesStored: (event: NewEvent) => store.stored(STREAM).filter(({ id }) => id === event.id).length,
  }
}
