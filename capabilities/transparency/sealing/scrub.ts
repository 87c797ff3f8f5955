import type { RecordedEvent } from '../../../contracts/envelope.ts'
import { BEGINNING } from '../../../contracts/position.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { EventStore } from '../../../platform/eventStore/port.ts'
import type { Sql } from '../../../projections/runner/ports.ts'
import { GrowingTree } from '../growingTree.ts'
import { newestCheckpointEvent } from '../newestCheckpointEvent.ts'
import { readEntries, TransparencyLogIncomplete } from '../reader.ts'
import { SEALED_CATEGORIES, TransparencyBuilder } from './builder.ts'
import { isGone, lastShown, removedEvents } from './checkpointStream.ts'
import { compareWithSealed } from './compare.ts'
import { incompleteAsFault, TransparencyFault } from './fault.ts'
import type { ScrubState } from './scrubTable.ts'
import { loadTree, readProgress, SEALED_SCHEMA, type SealingProgress } from './tables.ts'

const SCRUB_PAGE_EVENTS = 1_000

export type ScrubOptions = {
  readonly sql: Sql
  /** Without upcasting. */
  readonly store: EventStore
  readonly clock: Clock
  /** The share of time that a scrub works; 1: as fast as possible. The rest leaves processor and database to calls. */
  readonly timeShare: number
  /** Where an earlier scrub was interrupted. */
  readonly resume?: ScrubState | null
  /** Called when the scrub starts from the beginning. */
  readonly onBegin?: () => Promise<void>
  /** Called after each page without differences, with what a later scrub needs to resume. */
  readonly onPage?: (state: ScrubState) => Promise<void>
}

/**
 * Reads the store and compares each event with its entry, up to the current size of the log; later events, and whatever
 * is created with them, are left to the next scrub. Throws a TransparencyFault at the first difference.
 */
export async function scrubEntries(options: ScrubOptions, signal: AbortSignal): Promise<{ readonly entries: number }> {
  const { sql, store, clock, timeShare, onPage } = options
  const shown = await lastShown(sql)
  const sealed = await readProgress(sql)
  const head = await store.head()
  const start = await startOf(options, sealed)
  const { tree } = start
  let { position, checkpoints } = start
  const { idsAreUnique } = store
  const builder = new TransparencyBuilder({ schema: SEALED_SCHEMA, tree, idsAreUnique, createsSecrets: false, sealed })
  let fault: TransparencyFault | null = null
  while ((tree.size < sealed.size || position < sealed.position) && !signal.aborted) {
    const beganMs = clock.monotonicMs()
    const page = await store.readAll({ after: position, categories: SEALED_CATEGORIES, limit: SCRUB_PAGE_EVENTS })
    if (page.position === position) break
    const addition = await builder.add(sql, page, position, page.position >= head)
    await compareWithSealed(sql, store, addition, sealed.size).catch(incompleteAsFault)
    checkpoints = await followCheckpoints(store, page.events, checkpoints)
    position = page.position
    fault ??= addition.fault
    // A resumed scrub must find the fault again, and the events that follow the last entry in its page.
    if (!fault && tree.size < sealed.size) {
      const { generation } = sealed
      await onPage?.({ generation, position: addition.position, size: tree.size, root: tree.root(), checkpoints })
    }
    const restMs = (clock.monotonicMs() - beganMs) * (1 / timeShare - 1)
    if (restMs > 0) await clock.delay(restMs, signal)
  }
  if (signal.aborted) return { entries: tree.size }
  if (tree.size < sealed.size) {
    const [missing] = await readEntries(sql, tree.size, 1)
    const id = missing?.eventId ?? null
    throw new TransparencyFault(`event ${id}, entry ${tree.size} of the log, was removed from the store`, id)
  }
  if (fault) throw fault
  const newest = await newestCheckpointEvent(store)
  if (shown && (newest?.revision ?? -1) < shown.number) throw new TransparencyFault(isGone(shown))
  return { entries: tree.size }
}

type Start = { readonly tree: GrowingTree } & Pick<ScrubState, 'position' | 'checkpoints'>

/** A scrub resumes only what it can verify; otherwise it starts from the beginning and names what differs. */
async function startOf({ sql, resume, onBegin }: ScrubOptions, { generation, size }: SealingProgress): Promise<Start> {
  if (resume?.generation === generation && resume.size <= size) {
    const tree = await loadTree(sql, resume.size).catch((error: unknown) => {
      if (error instanceof TransparencyLogIncomplete) return null
      throw error
    })
    if (tree && Buffer.compare(tree.root(), resume.root) === 0) return { ...resume, tree }
  }
  await onBegin?.()
  return { tree: new GrowingTree(), position: BEGINNING, checkpoints: 0 }
}

/** The revision after the last of these events in the stream of checkpoints, whose revisions have no gaps. */
async function followCheckpoints(store: EventStore, events: readonly RecordedEvent[], next: number): Promise<number> {
  let expected = next
  for (const { stream, revision, id } of events) {
    if (stream !== CHECKPOINTS_STREAM || revision < expected) continue
    if ((await removedEvents(store, expected, revision)) > 0) {
      throw new TransparencyFault(
        `events of ${CHECKPOINTS_STREAM} before event ${id}, from revision ${expected} on, were removed`,
        id,
      )
    }
    expected = revision + 1
  }
  return expected
}
