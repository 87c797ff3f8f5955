import type { Position } from '../../../../contracts/position.ts'
import type { Clock } from '../../../clock/clock.ts'
import type { Ids } from '../../../ids/ids.ts'
import type { EncodedEvent } from '../../eventGuard.ts'
import {
  AppendOutcomeUnknown,
  EventRefused,
  type ExpectedRevision,
  type MayBeSent,
  WrongExpectedRevision,
} from '../../port.ts'
import type { OwnStreams } from '../reads/ownStreams.ts'
import type { StoredEvent } from '../reads/storedEvent.ts'
import type { StoreReader } from '../reads/storeReader.ts'
import { AnsweredTimeout } from './appendAnswer.ts'
import type { Appended, BatchAppends } from './batchAppends.ts'

/** The pause before the first repetition; every further one is twice as long. */
const REPEAT_PAUSE_MS = 50

export type RepeatingAppendsOptions = {
  readonly appends: BatchAppends
  readonly reader: StoreReader
  readonly streams: OwnStreams
  readonly clock: Clock
  readonly ids: Ids
  /** How long an append is repeated, counted from its first attempt. */
  readonly appendMs: number
}

type Append = {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly EncodedEvent[]
  readonly mayBeSent: MayBeSent | undefined
  /** Everything up to here was indexed before the append was sent. */
  readonly seenBefore: Position
}

/** The answer of the server, or the last of the events, if they were found in their stream. */
export type AppendOutcome = { readonly answered: Appended } | { readonly found: StoredEvent; readonly appendId: string }

type Search = { readonly found: StoredEvent | null; readonly newestRevision: number | null }

/**
 * Repeats an append that the server answered with a time-out, until the append's time is up. It first looks for the
 * events: if they repeat an append that the server was just storing, they are there by now. If not, the append is sent
 * again at the exact revision where its stream ended, so that it is not stored a second time if the first attempt is
 * stored late.
 */
export class RepeatingAppends {
  readonly #options: RepeatingAppendsOptions

  constructor(options: RepeatingAppendsOptions) {
    this.#options = options
  }

  async append(append: Append): Promise<AppendOutcome> {
    const { appends, streams, clock, ids, appendMs } = this.#options
    const { stream, expected, events, mayBeSent } = append
    const appendId = ids.uuid()
    const nameOnServer = streams.nameOnServer(stream)
    const endsAt = clock.now() + appendMs
    try {
      return { answered: await appends.append({ appendId, stream, nameOnServer, expected, events, mayBeSent }) }
    } catch (error) {
      if (!(error instanceof AnsweredTimeout)) throw error
      return await this.#repeat(append, appendId, endsAt, error)
    }
  }

  async #repeat(append: Append, appendId: string, endsAt: number, timeout: AnsweredTimeout): Promise<AppendOutcome> {
    const { appends, streams, clock } = this.#options
    const { stream, expected, events, mayBeSent } = append
    const nameOnServer = streams.nameOnServer(stream)
    for (let pauseMs = REPEAT_PAUSE_MS; clock.now() + pauseMs < endsAt; pauseMs *= 2) {
      await clock.delay(pauseMs)
      try {
        const { found, newestRevision } = await this.#find(append)
        if (found) return { found, appendId }
        const exact = expected === 'any' ? (newestRevision ?? 'none') : expected
        const again = { appendId, stream, nameOnServer, expected: exact, events, endsAt, mayBeSent }
        return { answered: await appends.append(again) }
      } catch (error) {
        // With "any", another append came between the search and the repetition, or the first attempt was stored.
        const isCertain = error instanceof WrongExpectedRevision && expected !== 'any'
        if (isCertain || error instanceof EventRefused) throw error
      }
    }
    throw new AppendOutcomeUnknown(stream, timeout)
  }

  /** With "any", searches what was not indexed before the append; otherwise looks at the revisions they must have. */
  async #find({ stream, expected, events, seenBefore }: Append): Promise<Search> {
    const { reader } = this.#options
    const id = events.at(-1)?.id
    if (expected !== 'any') {
      const place = (expected === 'none' ? -1 : expected) + events.length
      for await (const stored of reader.stream(stream, { from: place, limit: 1 })) {
        if (stored.recorded?.id === id) return { found: stored, newestRevision: null }
      }
      return { found: null, newestRevision: null }
    }
    let newestRevision: number | null = null
    for await (const stored of reader.stream(stream, { direction: 'backwards' })) {
      newestRevision ??= stored.revision
      if (stored.recorded?.id === id) return { found: stored, newestRevision }
      if (stored.position <= seenBefore) break
    }
    return { found: null, newestRevision }
  }
}
