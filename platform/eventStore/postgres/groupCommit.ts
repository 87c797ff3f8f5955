import type { EncodedEvent } from '../eventGuard.ts'
import { type AppendResult, type ExpectedRevision, type MayBeSent, StoreUnavailable } from '../port.ts'
import { APPENDS_WAITING_MAX } from '../storeLimits.ts'

/** How many appends may share a transaction. */
export const APPENDS_PER_COMMIT_MAX = 500
/** While one commit is under way, a second one starts only with at least this many appends. */
const APPENDS_FOR_SECOND_COMMIT = 24
/** After a batch of at most this many appends, the next one is sent without waiting for more. */
const LONE_APPENDS_MAX = 2
export const APPEND_BYTES_PER_COMMIT_MAX = 4 * 1024 * 1024

export type WaitingAppend = {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly EncodedEvent[]
  readonly bytes: number
  readonly mayBeSent: MayBeSent | undefined
  resolve(result: AppendResult): void
  reject(error: unknown): void
}

/** Resolves or rejects every append of a batch. */
export type Settle = () => void

/** Sends a batch at once and resolves when its outcome is known. Never rejects. */
export type SendBatch = (batch: readonly WaitingAppend[]) => Promise<Settle>

export const COMMITS_AT_ONCE = 2

/**
 * Puts concurrent appends into shared transactions: while one batch commits, the next one fills.
 * Nothing waits for a timer, so a single append is sent at once.
 */
export class GroupCommit {
  readonly #send: SendBatch
  #waiting: WaitingAppend[] = []
  readonly #lanes = new Set<Promise<void>>()
  #lanesOpen = 0
  #closed = false
  /** The number of appends in the last batch. */
  #lastSize = 0

  constructor(send: SendBatch) {
    this.#send = send
  }

  get waiting(): number {
    return this.#waiting.length
  }

  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly EncodedEvent[],
    mayBeSent?: MayBeSent,
  ): Promise<AppendResult> {
    if (this.#closed) throw new StoreUnavailable('the event store is closed')
    if (this.#waiting.length >= APPENDS_WAITING_MAX) {
      throw new StoreUnavailable(`the queue of ${APPENDS_WAITING_MAX} appends is full`)
    }
    let bytes = 0
    for (const event of events) bytes += event.bytes
    return new Promise((resolve, reject) => {
      this.#waiting.push({ stream, expected, events, bytes, mayBeSent, resolve, reject })
      if (this.#mayTake(this.#lanesOpen)) this.#open()
    })
  }

  /** Refuses new appends and waits for those that are under way. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.#lanes)
  }

  /** A second batch keeps the store busy between two commits, but is worth a transaction only if it is not tiny. */
  #mayTake(otherLanes: number): boolean {
    const least = otherLanes === 0 ? 1 : APPENDS_FOR_SECOND_COMMIT
    return otherLanes < COMMITS_AT_ONCE && this.#waiting.length >= least
  }

  #open(): void {
    this.#lanesOpen++
    const lane = this.#drain().finally(() => this.#lanes.delete(lane))
    this.#lanes.add(lane)
  }

  async #drain(): Promise<void> {
    // Appends of the same turn of the event loop go into the same batch, if there are any: a lone append would have to
    // wait for everything else in this turn.
    if (this.#lastSize > LONE_APPENDS_MAX) await new Promise(setImmediate)
    else await null
    let settle: Settle = () => {}
    while (this.#mayTake(this.#lanesOpen - 1)) {
      const sent = this.#send(this.#takeBatch())
      // The callers of the last batch continue only now, so that their work overlaps with that of the store.
      settle()
      settle = await sent
    }
    // Before the callers continue: if one appends again, this lane must already count as closed.
    this.#lanesOpen--
    settle()
  }

  /**
   * A batch is decided by set-based SQL, which requires that an append with an expected revision is alone on its stream
   * and that no event id occurs twice. An append that does not fit waits for the next batch, and so do all later
   * appends to the same stream.
   */
  #takeBatch(): WaitingAppend[] {
    const batch: WaitingAppend[] = []
    const later: WaitingAppend[] = []
    const conditional = new Set<string>()
    const unconditional = new Set<string>()
    const heldBack = new Set<string>()
    const ids = new Set<string>()
    let bytes = 0
    for (const append of this.#waiting) {
      const { stream } = append
      const isConditional = append.expected !== 'any'
      const full = batch.length >= APPENDS_PER_COMMIT_MAX || bytes + append.bytes > APPEND_BYTES_PER_COMMIT_MAX
      const clashes =
        heldBack.has(stream) ||
        conditional.has(stream) ||
        (isConditional && unconditional.has(stream)) ||
        append.events.some((event) => ids.has(event.id))
      if (batch.length > 0 && (full || clashes)) {
        later.push(append)
        heldBack.add(stream)
        continue
      }
      batch.push(append)
      bytes += append.bytes
      if (isConditional) conditional.add(stream)
      else unconditional.add(stream)
      for (const event of append.events) ids.add(event.id)
    }
    this.#waiting = later
    this.#lastSize = batch.length
    return batch
  }
}
