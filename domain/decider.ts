import type { DomainEvent } from '../contracts/envelope.ts'

/**
 * Three pure functions are an aggregate. Time, ids and everything random come in with the command.
 * A decider that finds its command done already answers with no events; one that refuses throws a Refusal.
 */
export type Decider<State, Command, Event extends DomainEvent> = {
  readonly initialState: () => State
  readonly evolve: (state: State, event: Event) => State
  readonly decide: (command: Command, state: State) => Event[]
}

export type RefusalCode = 'NOT_FOUND' | 'CONFLICT' | 'INVALID'

/** The command cannot be carried out, and repeating it will not help. The message is for the person who sent it. */
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

/** Ends an exhaustive switch: a type that the switch forgot is an error when compiling, and here at the latest. */
export function unexpected(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`)
}
