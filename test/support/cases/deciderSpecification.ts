import { expect } from 'vitest'
import type { DomainEvent } from '../../../contracts/envelope.ts'
import { EVENT_CATALOGUE } from '../../../contracts/events/catalogue.ts'
import { type Decider, fold, type RefusalCode } from '../../../domain/decider.ts'

/** Reads as a sentence: `given(events).when(command).then(events)`. */
export function specificationOf<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>) {
  return (...given: Event[]) => ({
    when: (command: Command) => {
      const decided = () => {
        const events = decider.decide(command, fold(decider, given))
        // Every decided event must be valid, or the store would refuse it.
        for (const event of events) EVENT_CATALOGUE[event.type]?.schema.parse(event.data)
        return events
      }
      return {
        // biome-ignore lint/suspicious/noThenProperty: the helper reads as given, when, then; it is never awaited.
        then: (...expected: Event[]) => expect(decided()).toEqual(expected),
        thenNothing: () => expect(decided()).toEqual([]),
        thenThrows: (code: RefusalCode, message?: RegExp) => {
          expect(decided).toThrowError(expect.objectContaining({ name: 'Refusal', code }))
          if (message) expect(decided).toThrowError(message)
        },
      }
    },
  })
}
