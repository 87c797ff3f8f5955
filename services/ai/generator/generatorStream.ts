import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../contracts/envelope.ts'
import type { GeneratorEvent } from '../../../contracts/events/generator.ts'
import type { Position } from '../../../contracts/position.ts'
import { type StreamName, streamName } from '../../../contracts/streams.ts'
import { fold } from '../../../domain/decider.ts'
import { type GeneratorCommand, type GeneratorState, generatorDecider } from '../../../domain/generator/decider.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { COMMAND_RETRIES_MAX } from '../../platform/commands/commandHandler.ts'
import { newEvent } from '../../platform/commands/eventCodec.ts'
import { type EventStore, WrongExpectedRevision } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'

export type Known = {
  readonly state: GeneratorState
  /** Of the last event; null: there is none. */
  readonly revision: number | null
  readonly position: Position | null
}

const ACTOR: Actor = { kind: 'system', name: 'match-score generator' }

/**
 * The stream of one generator. It grows with every batch, so it is not folded from its beginning: what is known of it
 * is kept, and read back to the last BatchStarted where somebody else has written.
 */
export class GeneratorStream {
  readonly stream: StreamName
  readonly #store: EventStore
  readonly #appender: PursuingAppender
  #known: Known | null = null

  constructor(name: string, store: EventStore, clock: Clock) {
    this.stream = streamName('generator', name)
    this.#store = store
    this.#appender = new PursuingAppender(store, clock)
  }

  /** As of now. Costs next to nothing where nobody has written since the last look. */
  async read(): Promise<Known> {
    const known = this.#known
    if (known?.revision != null) {
      let isNewest = true
      for await (const _ of this.#store.readStream(this.stream, { from: known.revision + 1, limit: 1 }))
        isNewest = false
      if (isNewest) return known
    }
    this.#known = await this.#readBack()
    return this.#known
  }

  /** Decides on what is known and appends behind it; after somebody else's event it decides anew. Throws a Refusal. */
  async send(command: GeneratorCommand): Promise<Known> {
    let known = this.#known ?? (await this.read())
    for (let attempt = 1; ; attempt++) {
      const events = generatorDecider.decide(command, known.state)
      if (events.length === 0) return known
      const cause = { correlationId: randomUUID(), causationId: randomUUID(), actor: ACTOR }
      try {
        const appended = await this.#appender.append(
          this.stream,
          known.revision ?? 'none',
          events.map((event) => newEvent(randomUUID(), event, cause)),
        )
        const state = events.reduce(generatorDecider.evolve, known.state)
        this.#known = { state, revision: appended.revision, position: appended.position }
        return this.#known
      } catch (error) {
        this.#known = null
        if (!(error instanceof WrongExpectedRevision) || attempt > COMMAND_RETRIES_MAX) throw error
        known = await this.read()
      }
    }
  }

  async #readBack(): Promise<Known> {
    const events: GeneratorEvent[] = []
    let last: { revision: number; position: Position } | null = null
    for await (const event of this.#store.readStream(this.stream, { direction: 'backwards' })) {
      last ??= { revision: event.revision, position: event.position }
      events.unshift(event as unknown as GeneratorEvent)
      if (event.type === 'BatchStarted') break
    }
    return {
      state: fold(generatorDecider, events),
      revision: last?.revision ?? null,
      position: last?.position ?? null,
    }
  }
}
