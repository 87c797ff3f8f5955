import { GrowingTree } from '../../../capabilities/transparency/growingTree.ts'
import type { Hash } from '../../../capabilities/transparency/hashes.ts'
import { readTiles } from '../../../capabilities/transparency/reader.ts'
import { removedEvents } from '../../../capabilities/transparency/sealing/checkpointStream.ts'
import { CHECKPOINTS_STREAM } from '../../../contracts/streams.ts'
import type { Engines } from '../../../platform/engines.ts'
import type { TransparencyBounds } from './bounds.ts'
import { CheckpointAudit, type CheckpointSources, verifyHeld } from './checkpoints.ts'
import { AuditFaults } from './faults.ts'
import type { KeyChain } from './keyChain.ts'
import { type AuditState, treeOf } from './state.ts'
import { TreeAudit } from './tree.ts'

/** A checkpoint that someone has kept. */
export type HeldCheckpoint = { readonly file: string; readonly note: string }

export type TreeOptions = Pick<Engines, 'database' | 'store'> & {
  readonly bounds: TransparencyBounds
  readonly start: AuditState | null
  /** The number of events in the stream of checkpoints. */
  readonly checkpointEvents: number
  readonly keys: KeyChain
  readonly held: readonly HeldCheckpoint[]
}

export type AuditedTree = {
  readonly tree: GrowingTree
  readonly checkpoints: CheckpointAudit
  readonly faults: AuditFaults
}

/**
 * Computes the tree from the entries of the log, and compares it with the tiles and every checkpoint. `corrected` has
 * the entries that are wrong in the rows, by index.
 */
export async function auditTree(
  { database, store, bounds, start, checkpointEvents, keys, held }: TreeOptions,
  corrected: ReadonlyMap<number, Hash>,
): Promise<AuditedTree> {
  const { size } = bounds
  const faults = new AuditFaults()
  const audit = new TreeAudit(database, start ? treeOf(start) : new GrowingTree(), corrected, faults)
  const { tree } = audit
  const sources: CheckpointSources = { tree: audit, readTiles: readTiles(database), keys, faults, size }
  const checkpoints = new CheckpointAudit(sources)
  let next = start?.checkpointEvents ?? 0
  for await (const event of store.readStream(CHECKPOINTS_STREAM, {
    from: next,
    limit: Math.max(0, checkpointEvents - next),
  })) {
    const { revision } = event
    // The limit does not end them if events are missing.
    if (revision >= checkpointEvents) break
    const removed = await removedEvents(store, next, revision)
    if (removed > 0) {
      const events = removed === 1 ? '1 event' : `${removed} events`
      const what = `${events} of ${CHECKPOINTS_STREAM}, from revision ${next} on, ${removed === 1 ? 'is' : 'are'} no longer in the store`
      faults.add(what, { stream: CHECKPOINTS_STREAM, revision: next })
    }
    await checkpoints.add(event)
    next = revision + 1
  }
  if (await audit.growTo(size)) await audit.end()
  else faults.add(`the log has no entry ${tree.size}, and ${size} entries in all`, { index: tree.size })
  for (const { file, note } of held) await verifyHeld(file, note, sources)
  return { tree, checkpoints, faults }
}
