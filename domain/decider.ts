import type { DomainEvent } from '../contracts/envelope.ts'

/**
 * An aggregate is three pure functions. Time, ids and everything random come in with the command.
 * `decide` returns no events if the command was already carried out, and throws a Refusal if it cannot be.
 */
export type Decider<State, Command, Event extends DomainEvent> = {
  readonly initialState: () => State
  readonly evolve: (state: State, event: Event) => State
  readonly decide: (command: Command, state: State) => Event[]
}

export type RefusalCode = 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

/** The command cannot be carried out, and repeating it will not help. The message is shown to its sender. */
export class Refusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode, message: string) {
    super(message)
    this.name = 'Refusal'
    this.code = code
  }
}

export function fold<State, Event extends DomainEvent>(
  decider: Pick<Decider<State, never, Event>, 'initialState' | 'evolve'>,
  events: Iterable<Event>,
): State {
  let state = decider.initialState()
  for (const event of events) state = decider.evolve(state, event)
  return state
}

/** Ends an exhaustive switch: a missing case is a compile error, and an exception at runtime. */
export function unexpected(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
