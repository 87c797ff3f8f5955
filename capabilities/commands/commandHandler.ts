import { createHash } from 'node:crypto'
import type { Actor, DomainEvent, Recorded } from '../../contracts/envelope.ts'
import { EVENT_CATALOGUE } from '../../contracts/events/catalogue.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import type { Position } from '../../contracts/position.ts'
import { type Category, categoryOf, type StreamName } from '../../contracts/streams.ts'
import { type Decider, Refusal } from '../../domain/decider.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { type TypedEventStore, WrongExpectedRevision } from '../../platform/eventStore/port.ts'
import type { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import { inStep } from '../../platform/tracing/activeSpan.ts'
import type { PersonalData } from '../personalData/personalData.ts'
import { deterministicId } from './eventId.ts'

/** Each conflict means that another command succeeded, so this many plus one can compete on a stream. */
export const COMMAND_RETRIES_MAX = 32

export type CommandContext = {
  /** Identifies the intent. A command sent again with the same id has no effect and returns the same result. */
  readonly commandId: string
  readonly correlationId: string
  readonly actor: Actor
  /**
   * The revision that the command's input is based on, such as the answer of an external party. If the stream has
   * changed since, the command is refused as a conflict, and the caller must start over.
   */
  readonly basedOn?: Revision
}

/** The actor of whatever follows from events or from time passing. */
export const REACTOR = { kind: 'system', name: 'reactor' } as const satisfies Actor

/** The revision of the last event of a stream; null if the stream is empty. */
export type Revision = number | null

export type CommandResult<Event> = {
  readonly events: readonly Event[]
  /** The position that a read model must pass to show the command's result; null if the stream is empty. */
  readonly position: Position | null
}

/** The stream has changed since the revision that the command was based on. */
export class StaleBasis extends Refusal {
  constructor(stream: string) {
    super('CONFLICT', `${stream} has changed meanwhile; try again`)
  }
}

/** Load, fold, decide, append; repeated when another command wrote to the stream in between. */
export class CommandHandler {
  readonly #store: TypedEventStore
  readonly #appender: PursuingAppender
  readonly #personal: Pick<PersonalData, 'protect'>

  constructor(store: TypedEventStore, appender: PursuingAppender, personal: Pick<PersonalData, 'protect'>) {
    this.#store = store
    this.#appender = appender
    this.#personal = personal
  }

  async handle<C extends Category, State, Command>(
    decider: Decider<State, Command, EventOf<C>>,
    stream: StreamName<C>,
    command: Command,
    context: CommandContext,
  ): Promise<CommandResult<EventOf<C>>> {
    for (let attempt = 1; ; attempt++) {
      const { state, revision, position, own } = await this.#load(decider, stream, context.commandId)
      if (own.length > 0) return repeated(own, fingerprintOf(command, own), context.commandId)
      if (context.basedOn !== undefined && context.basedOn !== revision) throw new StaleBasis(stream)
      const events = decider.decide(command, state)
      if (events.length === 0) return { events, position }
      const fingerprint = fingerprintOf(command, events)
      const cause = { correlationId: context.correlationId, causationId: context.commandId, actor: context.actor }
      try {
        const appended = await inStep(`append ${categoryOf(stream)}`, { kind: 'producer' }, async (span) => {
          const traced = span?.traceparent ? { traceparent: span.traceparent } : {}
          const sealing = events.map((event, index) =>
            this.#personal.protect(
              newEvent(eventId(stream, context.commandId, index), event, { ...cause, fingerprint, ...traced }),
            ),
          )
          return this.#appender.append(stream, revision ?? 'none', await Promise.all(sealing))
        })
        if (!appended.repeated) return { events, position: appended.position }
        // The command was sent twice concurrently, perhaps with other input: the next round compares it with the stored
        // one.
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision) || attempt > COMMAND_RETRIES_MAX) throw error
      }
    }
  }

  /** The current state of a stream, for callers that need it to choose their command. */
  async stateOf<C extends Category, State>(
    decider: Decider<State, never, EventOf<C>>,
    stream: StreamName<C>,
  ): Promise<State> {
    return (await this.#load(decider, stream, '')).state
  }

  /** The same with its revision, for a command whose input is only valid for this state. */
  async stateWithRevision<C extends Category, State>(
    decider: Decider<State, never, EventOf<C>>,
    stream: StreamName<C>,
  ): Promise<{ readonly state: State; readonly revision: Revision }> {
    return this.#load(decider, stream, '')
  }

  async #load<C extends Category, State>(
    decider: Decider<State, never, EventOf<C>>,
    stream: StreamName<C>,
    commandId: string,
  ): Promise<{ state: State; revision: Revision; position: Position | null; own: Recorded<EventOf<C>>[] }> {
    let state = decider.initialState()
    let revision: Revision = null
    let position: Position | null = null
    const seen = new Set<string>()
    const own: Recorded<EventOf<C>>[] = []
    for await (const event of this.#store.readStream(stream)) {
      revision = event.revision
      position = event.position
      // A store without unique ids may hold an event twice; it counts once.
      if (seen.has(event.id)) continue
      seen.add(event.id)
      state = decider.evolve(state, event)
      if (event.metadata.causationId === commandId) own.push(event)
    }
    return { state, revision, position, own }
  }
}

/** One intent may send commands to several streams, so the stream is part of the id. */
function eventId(stream: string, commandId: string, index: number): string {
  return deterministicId(`command:${stream}:${commandId}:${index}`)
}

function repeated<Event extends DomainEvent>(
  own: readonly Recorded<Event>[],
  fingerprint: string,
  commandId: string,
): CommandResult<Event> {
  if (own[0]?.metadata.fingerprint !== fingerprint) {
    throw new Refusal('CONFLICT', `command id ${commandId} was used for another command`)
  }
  return { events: own.map(withoutEnvelope), position: own.at(-1)?.position ?? null }
}

function withoutEnvelope<Event extends DomainEvent>({ type, data }: Recorded<Event>): Event {
  return { type, data } as Event
}

/**
 * Distinguishes a repetition from another command with the same id. The time of the command is excluded, and so is the
 * answer of an external party, which may differ when asked again. Personal fields are excluded because a name could be
 * guessed from its hash, even after an erasure.
 */
function fingerprintOf<Command>(command: Command, events: readonly DomainEvent[]): string {
  const sealed = new Set(events.flatMap(({ type }) => EVENT_CATALOGUE[type]?.personal ?? []))
  const text = JSON.stringify({ ...command, at: undefined, answer: undefined }, (name, value: unknown) => {
    if (sealed.has(name)) return undefined
    return typeof value === 'bigint' ? value.toString() : value
  })
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
