import { CHECKPOINT_INTERVAL_MS, checkpointText } from '../../../capabilities/transparency/checkpoint.ts'
import type { Hash } from '../../../capabilities/transparency/hashes.ts'
import {
  isSignedBy,
  type KeyStanding,
  readKeyHistory,
  standingOf,
} from '../../../capabilities/transparency/keyHistory.ts'
import { signRotation } from '../../../capabilities/transparency/keyRotation.ts'
import { newestCheckpointEvent } from '../../../capabilities/transparency/newestCheckpointEvent.ts'
import { signCheckpoint } from '../../../capabilities/transparency/note.ts'
import { latestCheckpoint, type SignedCheckpoint } from '../../../capabilities/transparency/reader.ts'
import type {
  RotatedEvent,
  SignedEvent,
  TransparencyAddition,
} from '../../../capabilities/transparency/sealing/builder.ts'
import { isGone, lastShown, removedEvents } from '../../../capabilities/transparency/sealing/checkpointStream.ts'
import { TransparencyFault } from '../../../capabilities/transparency/sealing/fault.ts'
import {
  insertCheckpoints,
  insertRotations,
  SEALED_SCHEMA,
  type SealingProgress,
  saveKeyFault,
} from '../../../capabilities/transparency/sealing/tables.ts'
import type { SigningKeys } from '../../../capabilities/transparency/signingKeys.ts'
import type { TransparencyEvent } from '../../../contracts/events/transparency.ts'
import type { Position } from '../../../contracts/position.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import { Refusal } from '../../../domain/decider.ts'
import {
  type TransparencyCommand,
  type TransparencyState,
  transparencyDecider,
} from '../../../domain/transparency/decider.ts'
import { type Clock, isoTime } from '../../../platform/clock/clock.ts'
import { newEvent } from '../../../platform/eventStore/eventCodec.ts'
import { type AppendResult, type EventStore, WrongExpectedRevision } from '../../../platform/eventStore/port.ts'
import { AppendStillUnknown, type PursuingAppender } from '../../../platform/eventStore/pursuit.ts'
import type { Ids } from '../../../platform/ids/ids.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Sql } from '../../../projections/runner/ports.ts'

/** How often a sealer with a key unknown to readers checks for a new origin. */
const UNKNOWN_KEY_MS = 10_000
/** After another process wrote to the stream of checkpoints, which must be read first. */
const RETRY_MS = 1_000

export type SigningOptions = {
  readonly database: Sql
  readonly store: EventStore
  readonly appender: PursuingAppender
  readonly keys: SigningKeys
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Log, 'info' | 'error'>
}

/** The sealer's state of the transparency log, and the position up to which it has read the store. */
export type TreeHead = { readonly size: number; readonly root: () => Hash; readonly position: Position }

/** Signs checkpoints, each of them an event at exactly the revision after those that were compared with the log. */
export class CheckpointSigning {
  readonly #options: SigningOptions
  #state: TransparencyState
  /** Whether the readers of the log know the key that signs. */
  #isKeyKnown = false
  /** On the monotonic clock. */
  #nextAtMs: number

  private constructor(options: SigningOptions, state: TransparencyState, nextAtMs: number) {
    this.#options = options
    this.#state = state
    this.#nextAtMs = nextAtMs
  }

  /** Continues after the checkpoints that the log has read. */
  static async resume(options: SigningOptions, { origin }: SealingProgress): Promise<CheckpointSigning> {
    const { clock, database } = options
    const last = await latestCheckpoint(database)
    const sinceMs = last ? clock.now() - Date.parse(last.signedAt) : CHECKPOINT_INTERVAL_MS
    // A clock that was set back must not delay the next one by more than the interval.
    const waitMs = Math.min(CHECKPOINT_INTERVAL_MS, Math.max(0, CHECKPOINT_INTERVAL_MS - sinceMs))
    return new CheckpointSigning(options, { origin, last: last && shown(last) }, clock.monotonicMs() + waitMs)
  }

  /** Records what was read from the stream of checkpoints. */
  read({ checkpoints, rotations, origin }: Pick<TransparencyAddition, 'checkpoints' | 'rotations' | 'origin'>): void {
    for (const { data } of checkpoints) {
      if (data.size >= (this.#state.last?.size ?? 0)) this.#state = { ...this.#state, last: data }
    }
    if (origin !== null && origin.data.origin !== this.#state.origin)
      this.#state = transparencyDecider.evolve(this.#state, origin)
    if (rotations.length > 0 || origin !== null) this.#isKeyKnown = false
  }

  get signedSize(): number {
    return this.#state.last?.size ?? 0
  }

  /** Milliseconds until the next checkpoint is due; null if there is nothing new. */
  dueInMs(size: number): number | null {
    const { last } = this.#state
    if (size === 0) return null
    if (this.#isKeyKnown && last?.size === size && last.origin === this.#origin && !last.isByOldKey) return null
    return Math.max(0, this.#nextAtMs - this.#options.clock.monotonicMs())
  }

  /** Signs the current log, unless the stream of checkpoints has something that was not compared with it yet. */
  async sign({ size, root, position }: TreeHead, signal: AbortSignal): Promise<void> {
    const { store, clock, keys, database } = this.#options
    this.#nextAtMs = clock.monotonicMs() + RETRY_MS
    const shown = await lastShown(database)
    const newest = await newestCheckpointEvent(store)
    if (shown && (newest?.revision ?? -1) < shown.number) throw new TransparencyFault(isGone(shown))
    if (newest && newest.position > position) return
    const expected = newest?.revision ?? 'none'
    if (!this.#isKeyKnown && !(await this.#knowKey(expected, signal))) return
    const origin = this.#origin
    const base64 = Buffer.from(root()).toString('base64')
    const nowMs = clock.now()
    const note = signCheckpoint(checkpointText({ origin, size, root: root() }), keys.of(origin), nowMs)
    const at = isoTime(nowMs)
    const [signed] = this.#decide({ type: 'SignCheckpoint', origin, size, root: base64, note, at })
    if (signed?.type !== 'CheckpointSigned') return
    const stored = await this.#append(expected, signed, signal)
    if (!stored) return await requireNewer(store, expected)
    this.#nextAtMs = clock.monotonicMs() + CHECKPOINT_INTERVAL_MS
    this.#state = transparencyDecider.evolve(this.#state, signed)
    // The sealer reads it later and inserts it then, if this does not succeed.
    await insertCheckpoints(database, SEALED_SCHEMA, [{ ...signed, revision: stored.revision } as SignedEvent])
  }

  /**
   * Whether the key may sign now. A key that the readers of the log do not know signs nothing before its predecessor has named
   * it in an event, which is appended once: at exactly the revision after what was read.
   */
  async #knowKey(expected: number | 'none', signal: AbortSignal): Promise<boolean> {
    const { store, database, keys, clock, log } = this.#options
    const [origin, own] = [this.#origin, keys.of(this.#origin)]
    const { last } = this.#state
    const history = await readKeyHistory(database, origin)
    const standing: KeyStanding =
      this.#state.origin === null && last !== null && last.origin !== origin
        ? { kind: 'unknown', reason: otherOrigin(last.origin, origin) }
        : standingOf(history, own)
    await saveKeyFault(database, standing.kind === 'unknown' ? standing.reason : null)
    if (standing.kind === 'known') {
      this.#isKeyKnown = true
      // A sealer may have stopped between the rotation and the first checkpoint of the new key.
      const isByOldKey = last?.origin === origin && history.last !== null && !isSignedBy(history.last, own[0])
      if (isByOldKey) this.#state = { ...this.#state, last: { ...last, isByOldKey } }
      return true
    }
    if (standing.kind === 'unknown') {
      this.#nextAtMs = clock.monotonicMs() + UNKNOWN_KEY_MS
      log.error({ reason: standing.reason }, 'no checkpoint is signed: readers do not know the configured key')
      return false
    }
    const at = isoTime(clock.now())
    const size = last?.size ?? 0
    const signed = signRotation({ origin, size, rotatedAt: at }, { from: standing.from, to: own[0] })
    const [rotated] = this.#decide({ type: 'RotateKey', origin, size, ...signed, at })
    if (rotated?.type !== 'LogKeyRotated') return false
    const stored = await this.#append(expected, rotated, signal)
    if (!stored) {
      await requireNewer(store, expected)
      return false
    }
    log.info(
      { origin, oldVkey: signed.oldVkey, newVkey: signed.newVkey, size },
      'the key of the transparency log was replaced',
    )
    this.#state = transparencyDecider.evolve(this.#state, rotated)
    await insertRotations(database, SEALED_SCHEMA, [{ ...rotated, revision: stored.revision } as RotatedEvent])
    // The next checkpoint is due at once: it is the first one by the new key.
    this.#nextAtMs = clock.monotonicMs()
    return false
  }

  get #origin(): string {
    return this.#state.origin ?? this.#options.keys.origin
  }

  #decide(command: TransparencyCommand): TransparencyEvent[] {
    try {
      return transparencyDecider.decide(command, this.#state)
    } catch (error) {
      if (error instanceof Refusal) throw new TransparencyFault(error.message)
      throw error
    }
  }

  /** Null if another event was stored first. The outcome is certain when this returns. */
  async #append(
    expected: number | 'none',
    decided: TransparencyEvent,
    signal: AbortSignal,
  ): Promise<AppendResult | null> {
    const id = this.#options.ids.uuid()
    const cause = { correlationId: id, causationId: id, actor: { kind: 'system', name: 'sealer' } } as const
    const event = newEvent(id, decided, cause)
    try {
      return await this.#options.appender.append(CHECKPOINTS_STREAM, expected, [event])
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
async function requireNewer(store: EventStore, known: number | 'none'): Promise<void> {
  const newest = await newestCheckpointEvent(store)
  if ((newest?.revision ?? 'none') !== known) return
  const next = known === 'none' ? 0 : known + 1
  if ((await removedEvents(store, next, next + 1)) === 0) return
  throw new TransparencyFault(
    `the event at revision ${next} of ${CHECKPOINTS_STREAM}, the last one that was stored, was removed from the store`,
  )
}

const otherOrigin = (known: string, settings: string): string =>
  `the log has the origin ${known}, but LOG_ORIGIN, or the host of PUBLIC_URL, is ${settings}: set LOG_ORIGIN=${known}`

const shown = ({ origin, size, root }: SignedCheckpoint) => ({
  origin,
  size,
  root: Buffer.from(root).toString('base64'),
})
