import type { Actor } from '../../contracts/envelope.ts'
import type { GeneratorEvent } from '../../contracts/events/generator.ts'
import type { Position } from '../../contracts/position.ts'
import { type StreamName, streamName } from '../../contracts/streams.ts'
import { fold } from '../../domain/decider.ts'
import { type GeneratorCommand, type GeneratorState, generatorDecider } from '../../domain/generator/decider.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import { type TypedEventStore, WrongExpectedRevision } from '../../platform/eventStore/port.ts'
import { PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import { COMMAND_RETRIES_MAX } from '../commands/commandHandler.ts'

/** The state of a generator and the last event included in it. */
export type StreamSnapshot = {
  readonly state: GeneratorState
  /** null if the stream is empty. */
  readonly revision: number | null
  readonly position: Position | null
}

/** The name of the only generator. */
export const MATCH_SCORES = 'match-scores'

export type StreamOptions = { readonly store: TypedEventStore; readonly clock: Clock; readonly ids: Ids }

/** Who sends a command, and in which request. */
export type CommandOrigin = { readonly actor: Actor; readonly correlationId: string }

const GENERATOR: Actor = { kind: 'system', name: 'match-score generator' }

/**
 * The stream of one generator. It grows with every batch, so it is not folded from its beginning. The last snapshot is
 * kept; if another process has written, events are read backwards to the last BatchStarted.
 */
export class GeneratorStream {
  readonly stream: StreamName<'generator'>
  readonly #store: TypedEventStore
  readonly #ids: Ids
  readonly #appender: PursuingAppender
  #snapshot: StreamSnapshot | null = null

  constructor(name: string, { store, clock, ids }: StreamOptions) {
    this.stream = streamName('generator', name)
    this.#store = store
    this.#ids = ids
    this.#appender = new PursuingAppender(store, clock)
  }

  /** Returns the current snapshot. One cheap read suffices if no event was written since the last one. */
  async read(): Promise<StreamSnapshot> {
    const snapshot = this.#snapshot
    if (snapshot?.revision != null) {
      let isNewest = true
      for await (const _ of this.#store.readStream(this.stream, { from: snapshot.revision + 1, limit: 1 }))
        isNewest = false
      if (isNewest) return snapshot
    }
    this.#snapshot = await this.#readBack()
    return this.#snapshot
  }

  /** Decides on the snapshot and appends; decides again if another process has written in the meantime. Throws a Refusal. */
  async send(command: GeneratorCommand, origin?: CommandOrigin): Promise<StreamSnapshot> {
    let snapshot = this.#snapshot ?? (await this.read())
    for (let attempt = 1; ; attempt++) {
      const events = generatorDecider.decide(command, snapshot.state)
      if (events.length === 0) return snapshot
      const { actor, correlationId } = origin ?? { actor: GENERATOR, correlationId: this.#ids.uuid() }
      const cause = { correlationId, causationId: this.#ids.uuid(), actor }
      try {
        const appended = await this.#appender.append(
          this.stream,
          snapshot.revision ?? 'none',
          events.map((event) => newEvent(this.#ids.uuid(), event, cause)),
        )
        const state = events.reduce(generatorDecider.evolve, snapshot.state)
        this.#snapshot = { state, revision: appended.revision, position: appended.position }
        return this.#snapshot
      } catch (error) {
        this.#snapshot = null
        if (!(error instanceof WrongExpectedRevision) || attempt > COMMAND_RETRIES_MAX) throw error
        snapshot = await this.read()
      }
    }
  }

  async #readBack(): Promise<StreamSnapshot> {
    const events: GeneratorEvent[] = []
    let last: { revision: number; position: Position } | null = null
    for await (const event of this.#store.readStream(this.stream, { direction: 'backwards' })) {
      last ??= { revision: event.revision, position: event.position }
      events.unshift(event)
      if (event.type === 'BatchStarted') break
    }
    return {
      state: fold(generatorDecider, events),
      revision: last?.revision ?? null,
      position: last?.position ?? null,
    }
  }
}
