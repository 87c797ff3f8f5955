import type { Hash } from '../../../capabilities/transparency/hashes.ts'
import { rootAt } from '../../../capabilities/transparency/proofs.ts'
import { latestCheckpoint, readTiles } from '../../../capabilities/transparency/reader.ts'
import {
  SEALED_CATEGORIES,
  type TransparencyAddition,
  TransparencyBuilder,
} from '../../../capabilities/transparency/sealing/builder.ts'
import { incompleteAsFault, TransparencyFault } from '../../../capabilities/transparency/sealing/fault.ts'
import {
  loadTree,
  readProgress,
  SEALED_SCHEMA,
  type SealingProgress,
  writeAddition,
} from '../../../capabilities/transparency/sealing/tables.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../platform/clock/within.ts'
import type { EventBatch } from '../../../platform/eventStore/port.ts'
import { READ_PAGE_EVENTS_MAX } from '../../../platform/eventStore/storeLimits.ts'
import type { Leadership } from '../../../platform/leases/whileLeading.ts'
import type { PostgresDatabase } from '../../../platform/postgres/database.ts'
import { CheckpointSigning, type SigningOptions } from './signCheckpoints.ts'

/** How long the sealer waits for more events, unless it is behind: each write costs a transaction. */
export const SEAL_GATHER_MS = 1_000
/** A sealer that is behind gets at least this many events at once, */
const BEHIND_EVENTS_MIN = 500
/** and soon: at the end of a busy store, it would have to wait longer for them. */
const BEHIND_WAIT_MS_MAX = 100
const IDLE_MS = 60_000

export type SealingOptions = Omit<SigningOptions, 'database'> & {
  readonly database: PostgresDatabase
  /** Called after each write and each checkpoint. */
  readonly onSealed?: (state: SealedState) => void
}

export type SealedState = {
  readonly position: Position
  readonly size: number
  readonly signedSize: number
  readonly entries: number
}

/** Adds the events of the store to the log and signs it, from where the last sealer stopped, until the leadership ends. */
export async function sealEntries(
  options: SealingOptions,
  leadership: Leadership,
  progress: SealingProgress,
): Promise<void> {
  const { database, store, clock, onSealed } = options
  const { epoch, signal } = leadership
  const { generation } = progress
  const builder = await resumeBuilder(options, progress)
  const signing = await CheckpointSigning.resume(options, progress)
  // Services do not run while a backup is restored, so all that it wrote is before this.
  const restoredUpTo = await store.head()
  let position = progress.position
  let writtenAtMs = clock.monotonicMs()
  const report = (entries: number) =>
    onSealed?.({ position, size: builder.tree.size, signedSize: signing.signedSize, entries })
  let writing: Promise<void> = Promise.resolve()
  const write = async (addition: TransparencyAddition, tree: { size: number; root: Hash }) => {
    // A sealer that starts again reads these events again, which are none of its own.
    if (!isEmptyAddition(addition) || clock.monotonicMs() - writtenAtMs > IDLE_MS) {
      await writeAddition(database, { epoch, generation }, addition, tree)
      writtenAtMs = clock.monotonicMs()
    }
    signing.read(addition)
    report(addition.entries.length)
  }
  /** Computes the next page while the last one is written. */
  const seal = async (batch: EventBatch) => {
    if (builder.looksUp(batch)) await writing
    const addition = await builder.add(database, batch, position, batch.position >= restoredUpTo)
    const { size } = builder.tree
    const root = builder.tree.root()
    await writing
    position = batch.position
    writing = write(addition, { size, root })
    writing.catch(() => {})
    if (batch.events.length < BEHIND_EVENTS_MIN) await writing
  }
  const waitMs = () => (builder.isCompared ? (signing.dueInMs(builder.tree.size) ?? IDLE_MS) : IDLE_MS)
  report(0)
  try {
    for await (const batch of pages(options, position, waitMs, signal)) {
      if (batch) await seal(batch)
      if (waitMs() > 0 || signal.aborted) continue
      await writing
      const { tree } = builder
      await signing.sign({ size: tree.size, root: () => tree.root(), position }, signal)
      report(0)
    }
    await writing
  } finally {
    // A sealer that starts again must find what this one has written.
    await writing.catch(() => {})
  }
}

/** Where sealing continues. Throws a TransparencyFault if the tables of the log contradict each other. */
export async function readSealable(database: PostgresDatabase): Promise<SealingProgress> {
  const progress = await readProgress(database)
  const last = await latestCheckpoint(database)
  if (!last || last.size > progress.size) return progress
  const root = await rootAt(last.size, readTiles(database)).catch(incompleteAsFault)
  if (Buffer.compare(root, last.root) === 0) return progress
  throw new TransparencyFault(
    `the tiles of the log are not those of the checkpoint of ${last.size} entries that was signed`,
  )
}

async function resumeBuilder(
  { database, store }: SealingOptions,
  { size }: SealingProgress,
): Promise<TransparencyBuilder> {
  const tree = await loadTree(database, size).catch(incompleteAsFault)
  return new TransparencyBuilder({
    schema: SEALED_SCHEMA,
    tree,
    idsAreUnique: store.idsAreUnique,
    createsSecrets: true,
  })
}

const isEmptyAddition = ({ entries, checkpoints, rotations, origin, fault }: TransparencyAddition): boolean =>
  entries.length + checkpoints.length + rotations.length === 0 && origin === null && fault === null

const isBehind = ({ events }: EventBatch, waitedMs: number): boolean =>
  events.length >= READ_PAGE_EVENTS_MAX || (events.length >= BEHIND_EVENTS_MIN && waitedMs < BEHIND_WAIT_MS_MAX)

/** The pages of the store, and null whenever the time has passed. While the sealer is behind, pages are read ahead. */
async function* pages(
  { store, clock }: { readonly store: SealingOptions['store']; readonly clock: Clock },
  after: Position,
  waitMs: () => number,
  signal: AbortSignal,
): AsyncGenerator<EventBatch | null> {
  const ending = new AbortController()
  const subscription = store.subscribe({
    after,
    categories: SEALED_CATEGORIES,
    signal: AbortSignal.any([signal, ending.signal]),
  })
  const batches = subscription[Symbol.asyncIterator]()
  let next = batches.next()
  try {
    while (!signal.aborted) {
      const askedMs = clock.monotonicMs()
      const result = (await settlesWithin(next, waitMs(), clock, signal)) ? await next : null
      if (signal.aborted || result?.done) return
      if (!result) {
        yield null
      } else if (isBehind(result.value, clock.monotonicMs() - askedMs)) {
        next = batches.next()
        // Queries are sent by the event loop, which would not have a turn before this page is computed.
        await new Promise(setImmediate)
        yield result.value
      } else {
        yield result.value
        await clock.delay(SEAL_GATHER_MS, signal)
        next = batches.next()
      }
    }
  } finally {
    ending.abort()
    await next.catch(() => {})
    await batches.return?.()
  }
}
