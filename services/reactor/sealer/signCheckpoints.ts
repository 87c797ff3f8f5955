import type { RecordedEvent } from '../../../contracts/envelope.ts'
import type { Position } from '../../../contracts/position.ts'
import { LOG_STREAM } from '../../../contracts/streams.ts'
import { Refusal } from '../../../domain/decider.ts'
import { type LogState, logDecider } from '../../../domain/log/decider.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import { newEvent } from '../../platform/commands/eventCodec.ts'
import { type AppendResult, type EventStore, WrongExpectedRevision } from '../../platform/eventStore/port.ts'
import { AppendStillUnknown, type PursuingAppender } from '../../platform/eventStore/pursuit.ts'
import type { Ids } from '../../platform/ids/ids.ts'
import { checkpointText } from '../../platform/transparency/checkpoint.ts'
import type { Hash } from '../../platform/transparency/hashes.ts'
import type { LogKeys } from '../../platform/transparency/logKeys.ts'
import { latestCheckpoint, type SignedCheckpoint } from '../../platform/transparency/logReader.ts'
import { signNote } from '../../platform/transparency/note.ts'
import {
  isGone,
  lastShown,
  newestCheckpointEvent,
  removedEvents,
} from '../../platform/transparency/sealing/checkpointStream.ts'
import type { SignedEvent } from '../../platform/transparency/sealing/logBuilder.ts'
import { LogFault } from '../../platform/transparency/sealing/logFault.ts'
import { insertCheckpoints, LIVE_LOG, type LogProgress } from '../../platform/transparency/sealing/logTables.ts'

/** The log says in public at most this often what it is. */
export const CHECKPOINT_INTERVAL_MS = 10_000
/** After another process wrote to the stream of checkpoints, which must be read first. */
const RETRY_MS = 1_000

export type SigningOptions = {
  readonly database: Sql
  readonly store: EventStore
  readonly appender: PursuingAppender
  readonly keys: LogKeys
  readonly clock: Clock
  readonly ids: Ids
}

/** The log as its sealer has it, and up to where it has read the store. */
export type LogHead = { readonly size: number; readonly root: () => Hash; readonly position: Position }

/** Signs checkpoints, each of them an event at exactly the revision after those that were compared with the log. */
export class CheckpointSigning {
  readonly #options: SigningOptions
  #state: LogState
  /** On the monotonic clock. */
  #nextAtMs: number

  private constructor(options: SigningOptions, state: LogState, nextAtMs: number) {
    this.#options = options
    this.#state = state
    this.#nextAtMs = nextAtMs
  }

  /** Continues after the checkpoints that the log has read. */
  static async resume(options: SigningOptions, { origin }: LogProgress): Promise<CheckpointSigning> {
    const { clock, database } = options
    const last = await latestCheckpoint(database)
    const sinceMs = last ? clock.now() - Date.parse(last.signedAt) : CHECKPOINT_INTERVAL_MS
    // A clock that was set back must not delay the next one by more than the interval.
    const waitMs = Math.min(CHECKPOINT_INTERVAL_MS, Math.max(0, CHECKPOINT_INTERVAL_MS - sinceMs))
    return new CheckpointSigning(options, { origin, last: last && shown(last) }, clock.monotonicMs() + waitMs)
  }

  /** Notes what was read from the stream of checkpoints. */
  read(checkpoints: readonly SignedEvent[], origin: string | null): void {
    for (const { data } of checkpoints) {
      if (data.size >= (this.#state.last?.size ?? 0)) this.#state = { ...this.#state, last: data }
    }
    if (origin !== null) this.#state = { ...this.#state, origin }
  }

  get signedSize(): number {
    return this.#state.last?.size ?? 0
  }

  /** Milliseconds until a checkpoint of a log of this size is due; null if there is nothing new. */
  dueInMs(size: number): number | null {
    const { last } = this.#state
    if (last?.size === size && last.origin === this.#origin) return null
    if (size === 0) return null
    return Math.max(0, this.#nextAtMs - this.#options.clock.monotonicMs())
  }

  /** Signs the log as it is, unless there is something in the stream of checkpoints that was not compared with it yet. */
  async sign({ size, root, position }: LogHead, signal: AbortSignal): Promise<void> {
    const { store, clock, keys, database, ids } = this.#options
    this.#nextAtMs = clock.monotonicMs() + RETRY_MS
    const shown = await lastShown(database)
    const newest = await newestCheckpointEvent(store)
    if (shown && (newest?.revision ?? -1) < shown.number) throw new LogFault(isGone(shown))
    if (newest && newest.position > position) return
    const origin = this.#origin
    const base64 = Buffer.from(root()).toString('base64')
    const note = signNote(checkpointText({ origin, size, root: root() }), keys.of(origin))
    const [signed] = this.#decide({ origin, size, root: base64, note })
    if (signed?.type !== 'CheckpointSigned') return
    const id = ids.uuid()
    const cause = { correlationId: id, causationId: id, actor: { kind: 'system', name: 'sealer' } } as const
    const stored = await this.#append(newest?.revision ?? 'none', newEvent(id, signed, cause), signal)
    if (!stored) return await requireNewer(store, newest)
    this.#nextAtMs = clock.monotonicMs() + CHECKPOINT_INTERVAL_MS
    this.#state = { ...this.#state, last: signed.data }
    // The sealer reads it later and inserts it then, if this does not succeed.
    await insertCheckpoints(database, LIVE_LOG, [{ ...signed, revision: stored.revision } as SignedEvent])
  }

  get #origin(): string {
    return this.#state.origin ?? this.#options.keys.origin
  }

  #decide(checkpoint: { origin: string; size: number; root: string; note: string }) {
    try {
      const at = isoTime(this.#options.clock.now())
      return logDecider.decide({ type: 'SignCheckpoint', ...checkpoint, at }, this.#state)
    } catch (error) {
      if (error instanceof Refusal) throw new LogFault(error.message)
      throw error
    }
  }

  /** Null if another event was stored first. The outcome is certain when this returns. */
  async #append(
    expected: number | 'none',
    event: ReturnType<typeof newEvent>,
    signal: AbortSignal,
  ): Promise<AppendResult | null> {
    try {
      return await this.#options.appender.append(LOG_STREAM, expected, [event])
    } catch (error) {
      if (error instanceof WrongExpectedRevision) return null
      if (!(error instanceof AppendStillUnknown)) throw error
      signal.addEventListener('abort', error.giveUp, { once: true })
      if (signal.aborted) error.giveUp()
      return await error.settled.catch((cause: unknown) => {
        if (cause instanceof WrongExpectedRevision) return null
        throw cause
      })
    }
  }
}

/** Another event was stored first. If the store does not have it, it was removed, and no checkpoint could ever follow it. */
async function requireNewer(store: EventStore, known: RecordedEvent | null): Promise<void> {
  const newest = await newestCheckpointEvent(store)
  if (newest?.revision !== known?.revision) return
  const next = (known?.revision ?? -1) + 1
  if ((await removedEvents(store, next, next + 1)) === 0) return
  throw new LogFault(
    `the event at revision ${next} of ${LOG_STREAM}, the last one that was stored, was removed from the store`,
  )
}

const shown = ({ origin, size, root }: SignedCheckpoint) => ({
  origin,
  size,
  root: Buffer.from(root).toString('base64'),
})
