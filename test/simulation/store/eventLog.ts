import type { NewEvent, RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import { encodeAppend } from '../../../platform/eventStore/eventGuard.ts'
import {
  type AppendResult,
  EventRefused,
  type ExpectedRevision,
  WrongExpectedRevision,
} from '../../../platform/eventStore/port.ts'

const POSITION_DIGITS = 12

/** The events of a store in their order. */
export class EventLog {
  readonly events: RecordedEvent[] = []
  readonly #streams = new Map<string, RecordedEvent[]>()

  get head(): Position {
    return this.events.at(-1)?.position ?? BEGINNING
  }

  stream(name: string): readonly RecordedEvent[] {
    return this.#streams.get(name) ?? []
  }

  /** All events after the position. */
  after(position: Position): readonly RecordedEvent[] {
    return this.events.slice(position === BEGINNING ? 0 : Number(position))
  }

  /** `knowsIds`: repeated ids are recognised under "any". A store without unique ids may have forgotten them. */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    { knowsIds, isUnique, recordedAt }: { knowsIds: boolean; isUnique: boolean; recordedAt: string },
  ): AppendResult {
    const stored = this.#streams.get(stream) ?? []
    const repetition = repetitionOf(stored, expected, events, knowsIds)
    if (repetition) return { revision: repetition.revision, position: repetition.position, repeated: true }
    const actual = stored.length - 1
    const isElsewhere = isUnique && stored.some(({ id }) => events.some((event) => event.id === id))
    if (isElsewhere && expected === 'any') {
      throw new EventRefused(`some of the event ids are already stored in ${stream}, the others are not`)
    }
    if (isElsewhere || (expected !== 'any' && revisionOf(expected) !== actual)) {
      throw new WrongExpectedRevision(stream, expected, actual === -1 ? null : actual)
    }
    for (const { source, data, metadata } of encodeAppend(stream, events)) {
      const position = String(this.events.length + 1).padStart(POSITION_DIGITS, '0') as Position
      const text = { data: JSON.parse(data), metadata: JSON.parse(metadata) }
      const recorded = { ...source, ...text, stream, revision: stored.length, position, recordedAt }
      stored.push(recorded)
      this.events.push(recorded)
    }
    this.#streams.set(stream, stored)
    return { revision: stored.length - 1, position: this.head, repeated: false }
  }
}

function repetitionOf(
  stored: readonly RecordedEvent[],
  expected: ExpectedRevision,
  events: readonly NewEvent[],
  knowsIds: boolean,
): RecordedEvent | undefined {
  if (expected === 'any' && !knowsIds) return undefined
  const start = expected === 'any' ? stored.findIndex(({ id }) => id === events[0]?.id) : revisionOf(expected) + 1
  if (start === -1 || start >= stored.length) return undefined
  const found = stored.slice(start, start + events.length)
  return found.length === events.length && found.every(({ id }, at) => id === events[at]?.id) ? found.at(-1) : undefined
}

function revisionOf(expected: Exclude<ExpectedRevision, 'any'>): number {
  return expected === 'none' ? -1 : expected
}
